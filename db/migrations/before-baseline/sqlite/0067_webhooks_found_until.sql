ALTER TABLE `webhooks` ADD `found_until` integer;--> statement-breakpoint
CREATE INDEX `webhooks_found` ON `webhooks` (`found_until`) WHERE "webhooks"."found_until" is not null;