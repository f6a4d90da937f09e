CREATE TABLE `wallet_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`certificate_pem` text NOT NULL,
	`fingerprint` text NOT NULL,
	`not_before` integer NOT NULL,
	`not_after` integer NOT NULL,
	`country` text,
	`common_name` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `wallet_providers_certificate` ON `wallet_providers` (`tenant_id`,`fingerprint`);--> statement-breakpoint
CREATE INDEX `wallet_providers_page` ON `wallet_providers` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `authorizations` ADD `pushed_request_id` text;--> statement-breakpoint
ALTER TABLE `pushed_requests` ADD `authorization_id` text;--> statement-breakpoint
ALTER TABLE `pushed_requests` ADD `open_until` integer;