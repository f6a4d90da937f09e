CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`subject` text NOT NULL,
	`content` text NOT NULL,
	`request_id` text NOT NULL,
	`audit_number` integer,
	`receipt` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `erasures_page` ON `erasures` (`tenant_id`,`created_at`,`id`);