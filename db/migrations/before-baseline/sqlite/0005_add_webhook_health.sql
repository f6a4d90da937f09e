DROP INDEX `deliveries_due`;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `queued_until` integer;--> statement-breakpoint
CREATE INDEX `deliveries_waiting` ON `deliveries` (`webhook_id`,`next_attempt_at`) WHERE "deliveries"."next_attempt_at" is not null and "deliveries"."queued_until" is null;--> statement-breakpoint
CREATE INDEX `deliveries_queued` ON `deliveries` (`queued_until`) WHERE "deliveries"."queued_until" is not null;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failing_since` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `paused_until` integer;