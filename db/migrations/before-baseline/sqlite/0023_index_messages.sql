DROP INDEX `inbox_dids_did`;--> statement-breakpoint
DROP INDEX `inbox_dids_recipient`;--> statement-breakpoint
CREATE UNIQUE INDEX `inbox_dids_recipient` ON `inbox_dids` (`did`,`tenant_id`);--> statement-breakpoint
DROP INDEX `inbox_messages_page`;--> statement-breakpoint
CREATE INDEX `inbox_messages_page` ON `inbox_messages` (`tenant_id`,`inbox_id`,`created_at`,`id`,`size_bytes`);