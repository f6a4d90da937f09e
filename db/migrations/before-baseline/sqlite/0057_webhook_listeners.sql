CREATE TABLE `listener_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`sealed_request` text NOT NULL,
	`answer` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `listener_requests_page` ON `listener_requests` (`tenant_id`,`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `listener_requests_age` ON `listener_requests` (`created_at`);--> statement-breakpoint
ALTER TABLE `webhooks` ADD `leased_until` integer;--> statement-breakpoint
CREATE INDEX `webhooks_leased` ON `webhooks` (`leased_until`) WHERE "webhooks"."leased_until" is not null;