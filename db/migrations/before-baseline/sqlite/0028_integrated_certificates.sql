CREATE TABLE `integrated_certificates` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`ecosystem_id` text NOT NULL,
	`integration_id` text NOT NULL,
	`fingerprint` text NOT NULL,
	`ski` text,
	`name` text,
	`certificate` blob NOT NULL,
	`doc_types` text NOT NULL,
	`not_before` integer NOT NULL,
	`not_after` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `integrated_certificates_certificate` ON `integrated_certificates` (`integration_id`,`fingerprint`);--> statement-breakpoint
CREATE INDEX `integrated_certificates_fingerprint` ON `integrated_certificates` (`tenant_id`,`fingerprint`);--> statement-breakpoint
CREATE INDEX `integrated_certificates_ecosystem` ON `integrated_certificates` (`tenant_id`,`ecosystem_id`,`integration_id`);--> statement-breakpoint
ALTER TABLE `ecosystem_integrations` ADD `last_good` text;--> statement-breakpoint
ALTER TABLE `ecosystem_integrations` ADD `next_sync_at` integer;--> statement-breakpoint
ALTER TABLE `ecosystem_integrations` ADD `queued_until` integer;--> statement-breakpoint
ALTER TABLE `ecosystem_integrations` ADD `attempted_at` integer;--> statement-breakpoint
ALTER TABLE `ecosystem_integrations` ADD `succeeded_at` integer;--> statement-breakpoint
ALTER TABLE `ecosystem_integrations` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `ecosystem_integrations_due` ON `ecosystem_integrations` (`next_sync_at`) WHERE "ecosystem_integrations"."enabled";