CREATE TABLE `console_links` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`client_id` text NOT NULL,
	`secret_hash` text NOT NULL,
	`client_secret_hash` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `console_links_tenant` ON `console_links` (`tenant_id`);--> statement-breakpoint
CREATE INDEX `console_links_expiry` ON `console_links` (`expires_at`);