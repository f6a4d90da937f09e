CREATE TABLE `approvals` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`kind` text NOT NULL,
	`operation` text NOT NULL,
	`state` text NOT NULL,
	`objects` integer NOT NULL,
	`details` text NOT NULL,
	`digest` text NOT NULL,
	`sealed_request` text,
	`sealed_answer` text,
	`asked_by_client_id` text,
	`asked_by_management_user_id` text,
	`decided_by_client_id` text,
	`decided_by_management_user_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`decided_at` integer
);
--> statement-breakpoint
CREATE INDEX `approvals_page` ON `approvals` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_due` ON `approvals` (`state`,`expires_at`);--> statement-breakpoint
CREATE INDEX `approvals_expiry` ON `approvals` (`expires_at`);--> statement-breakpoint
ALTER TABLE `clients` ADD `known_to` text;