CREATE TABLE `presentation_templates` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`domain` text NOT NULL,
	`query` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `presentation_templates_page` ON `presentation_templates` (`tenant_id`,`created_at`,`id`);