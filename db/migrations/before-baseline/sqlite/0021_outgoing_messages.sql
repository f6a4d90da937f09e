CREATE TABLE `outgoing_lines` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`recipient` text NOT NULL,
	`last_message_at` integer NOT NULL,
	`next_attempt_at` integer,
	`queued_until` integer,
	`idle_since` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outgoing_lines_recipient` ON `outgoing_lines` (`tenant_id`,`recipient`);--> statement-breakpoint
CREATE INDEX `outgoing_lines_waiting` ON `outgoing_lines` (`tenant_id`,`next_attempt_at`) WHERE "outgoing_lines"."next_attempt_at" is not null and "outgoing_lines"."queued_until" is null;--> statement-breakpoint
CREATE INDEX `outgoing_lines_queued` ON `outgoing_lines` (`queued_until`) WHERE "outgoing_lines"."queued_until" is not null;--> statement-breakpoint
CREATE INDEX `outgoing_lines_idle` ON `outgoing_lines` (`idle_since`);--> statement-breakpoint
CREATE TABLE `outgoing_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`line_id` text NOT NULL,
	`request_id` text NOT NULL,
	`message` text,
	`state` text NOT NULL,
	`attempts_made` integer NOT NULL,
	`last_attempt` text,
	`created_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `outgoing_messages_line` ON `outgoing_messages` (`line_id`,`state`,`created_at`);--> statement-breakpoint
CREATE INDEX `outgoing_messages_tenant` ON `outgoing_messages` (`tenant_id`,`state`);--> statement-breakpoint
CREATE INDEX `outgoing_messages_age` ON `outgoing_messages` (`ended_at`);