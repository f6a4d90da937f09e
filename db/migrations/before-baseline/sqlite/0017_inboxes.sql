CREATE TABLE `inbox_dids` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`inbox_id` text NOT NULL,
	`did` text NOT NULL,
	`proven_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `inbox_dids_did` ON `inbox_dids` (`tenant_id`,`did`);--> statement-breakpoint
CREATE INDEX `inbox_dids_recipient` ON `inbox_dids` (`did`,`created_at`);--> statement-breakpoint
CREATE INDEX `inbox_dids_page` ON `inbox_dids` (`tenant_id`,`inbox_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `inbox_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`inbox_id` text NOT NULL,
	`recipient` text NOT NULL,
	`message` text NOT NULL,
	`sha256` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `inbox_messages_bytes` ON `inbox_messages` (`inbox_id`,`sha256`);--> statement-breakpoint
CREATE INDEX `inbox_messages_page` ON `inbox_messages` (`tenant_id`,`inbox_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `inbox_messages_age` ON `inbox_messages` (`expires_at`);--> statement-breakpoint
CREATE TABLE `inboxes` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`last_message_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `inboxes_page` ON `inboxes` (`tenant_id`,`created_at`,`id`);