CREATE TABLE `console_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`sealed_client_secret` text NOT NULL,
	`token_endpoint_auth_method` text NOT NULL,
	`scope` text NOT NULL,
	`claim` text NOT NULL,
	`user_claim` text NOT NULL,
	`roles` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `console_providers_tenant` ON `console_providers` (`tenant_id`);--> statement-breakpoint
CREATE TABLE `console_sign_ins` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`state_hash` text NOT NULL,
	`browser_hash` text NOT NULL,
	`sealed_request` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `console_sign_ins_tenant` ON `console_sign_ins` (`tenant_id`);--> statement-breakpoint
CREATE INDEX `console_sign_ins_expiry` ON `console_sign_ins` (`expires_at`);--> statement-breakpoint
CREATE TABLE `__new_console_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`client_id` text,
	`secret_hash` text NOT NULL,
	`client_secret_hash` text,
	`provider_hash` text,
	`management_user_id` text,
	`management_user_name` text,
	`roles` text,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_console_sessions`("id", "tenant_id", "client_id", "secret_hash", "client_secret_hash", "last_used_at", "expires_at", "created_at") SELECT "id", "tenant_id", "client_id", "secret_hash", "client_secret_hash", "last_used_at", "expires_at", "created_at" FROM `console_sessions`;--> statement-breakpoint
DROP TABLE `console_sessions`;--> statement-breakpoint
ALTER TABLE `__new_console_sessions` RENAME TO `console_sessions`;--> statement-breakpoint
CREATE INDEX `console_sessions_client` ON `console_sessions` (`tenant_id`,`client_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `console_sessions_user` ON `console_sessions` (`tenant_id`,`management_user_id`,`created_at`) WHERE "console_sessions"."management_user_id" is not null;--> statement-breakpoint
CREATE INDEX `console_sessions_expiry` ON `console_sessions` (`expires_at`);--> statement-breakpoint
ALTER TABLE `participant_evidence` ADD `uploader` text DEFAULT 'client' NOT NULL;--> statement-breakpoint
ALTER TABLE `audit_events` ADD `management_user_id` text;--> statement-breakpoint
CREATE INDEX `audit_events_management_user` ON `audit_events` (`tenant_id`,`management_user_id`,`timestamp`,`id`) WHERE "audit_events"."management_user_id" is not null;