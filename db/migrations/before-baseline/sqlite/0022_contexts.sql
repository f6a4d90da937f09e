CREATE TABLE `contexts` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`url` text NOT NULL,
	`document` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contexts_url` ON `contexts` (`tenant_id`,`url`);--> statement-breakpoint
CREATE INDEX `contexts_page` ON `contexts` (`tenant_id`,`created_at`,`id`);