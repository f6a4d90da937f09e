CREATE TABLE `status_list_configurations` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`doc_type` text NOT NULL,
	`ttl_days` integer NOT NULL,
	`expiry_days` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `status_list_configurations_type` ON `status_list_configurations` (`tenant_id`,`doc_type`);--> statement-breakpoint
CREATE INDEX `status_list_configurations_page` ON `status_list_configurations` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
DROP INDEX `published_lists_expiry`;--> statement-breakpoint
ALTER TABLE `published_lists` ADD `jwt` blob;--> statement-breakpoint
ALTER TABLE `published_lists` ADD `signer_id` text;--> statement-breakpoint
ALTER TABLE `published_lists` ADD `ttl_seconds` integer;--> statement-breakpoint
ALTER TABLE `published_lists` ADD `renew_at` integer;--> statement-breakpoint
UPDATE `published_lists` SET `renew_at` = `expires_at` - 86400000 WHERE `expires_at` IS NOT NULL;--> statement-breakpoint
CREATE INDEX `published_lists_signer` ON `published_lists` (`tenant_id`,`signer_id`);--> statement-breakpoint
CREATE INDEX `published_lists_renewal` ON `published_lists` (`renew_at`);--> statement-breakpoint
DROP INDEX `status_lists_number`;--> statement-breakpoint
ALTER TABLE `status_lists` ADD `series` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `status_lists` ADD `ca_id` text;--> statement-breakpoint
ALTER TABLE `status_lists` ADD `configuration_id` text;--> statement-breakpoint
ALTER TABLE `status_lists` ADD `format` text;--> statement-breakpoint
CREATE UNIQUE INDEX `status_lists_number` ON `status_lists` (`tenant_id`,`kind`,`series`,`number`);