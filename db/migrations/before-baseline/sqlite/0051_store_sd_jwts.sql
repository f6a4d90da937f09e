DROP INDEX `stored_credentials_page`;--> statement-breakpoint
ALTER TABLE `stored_credentials` ADD `profile` text DEFAULT 'web-semantic' NOT NULL;--> statement-breakpoint
CREATE INDEX `stored_credentials_page` ON `stored_credentials` (`tenant_id`,`profile`,`created_at`,`id`);