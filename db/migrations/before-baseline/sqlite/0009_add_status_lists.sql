CREATE TABLE `status_bulks` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`is_revoked` integer NOT NULL,
	`credential_ids` text,
	`filter` text,
	`state` text NOT NULL,
	`total` integer NOT NULL,
	`done` integer NOT NULL,
	`failed` text NOT NULL,
	`progress` text,
	`created_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `status_bulks_tenant` ON `status_bulks` (`tenant_id`);--> statement-breakpoint
CREATE INDEX `status_bulks_age` ON `status_bulks` (`created_at`);--> statement-breakpoint
CREATE TABLE `status_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`list_id` text NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `status_changes_list` ON `status_changes` (`tenant_id`,`list_id`,`changed_at`);--> statement-breakpoint
CREATE TABLE `status_entries` (
	`tenant_id` text NOT NULL,
	`list_id` text NOT NULL,
	`position` integer NOT NULL,
	`credential_id` text,
	`status` text NOT NULL,
	PRIMARY KEY(`list_id`, `position`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `status_entries_credential` ON `status_entries` (`tenant_id`,`credential_id`);--> statement-breakpoint
CREATE INDEX `status_entries_set` ON `status_entries` (`list_id`,`position`) WHERE "status_entries"."status" <> 'valid';--> statement-breakpoint
CREATE TABLE `status_lists` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`kind` text NOT NULL,
	`number` integer NOT NULL,
	`size` integer NOT NULL,
	`taken` integer NOT NULL,
	`permutation_key` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `status_lists_number` ON `status_lists` (`tenant_id`,`kind`,`number`);--> statement-breakpoint
CREATE TABLE `published_lists` (
	`list_id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`version` integer NOT NULL,
	`content` blob NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE INDEX `published_lists_tenant` ON `published_lists` (`tenant_id`);--> statement-breakpoint
CREATE INDEX `published_lists_expiry` ON `published_lists` (`expires_at`);