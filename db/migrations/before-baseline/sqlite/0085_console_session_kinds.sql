ALTER TABLE `console_sessions` ADD `kind` text DEFAULT 'browser' NOT NULL;--> statement-breakpoint
CREATE INDEX `console_sessions_page` ON `console_sessions` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `clients` ADD `token_generation` integer DEFAULT 0 NOT NULL;