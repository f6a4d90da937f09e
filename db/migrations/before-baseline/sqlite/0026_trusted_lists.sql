CREATE TABLE `trusted_list_configurations` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`ecosystem_id` text NOT NULL,
	`kind` text NOT NULL,
	`provider` text,
	`auto_publishes` integer NOT NULL,
	`frequency` text,
	`auto_publish_configured_at` integer,
	`last_number` integer NOT NULL,
	`last_failure_at` integer,
	`last_failure_reason` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `trusted_list_configurations_kind` ON `trusted_list_configurations` (`tenant_id`,`ecosystem_id`,`kind`);--> statement-breakpoint
CREATE TABLE `trusted_lists` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`ecosystem_id` text NOT NULL,
	`kind` text NOT NULL,
	`is_auto_published` integer NOT NULL,
	`number` integer,
	`date` integer,
	`next_update` integer,
	`content` blob,
	`signer_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `trusted_lists_number` ON `trusted_lists` (`tenant_id`,`ecosystem_id`,`kind`,`number`);--> statement-breakpoint
CREATE INDEX `trusted_lists_page` ON `trusted_lists` (`tenant_id`,`ecosystem_id`,`kind`,`created_at`,`id`);