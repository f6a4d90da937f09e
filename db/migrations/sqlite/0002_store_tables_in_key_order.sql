-- These tables have only their primary key. Stored in its order, a row is in one B-tree instead of two.
-- The rows are copied in the order of the key, which needs no memory for a sort.
CREATE TABLE `__new_user_claim_terms` (
	`tenant_id` text NOT NULL,
	`term` text NOT NULL,
	`created_at` integer NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `term`, `created_at`, `user_id`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_user_claim_terms` (`tenant_id`, `term`, `created_at`, `user_id`)
	SELECT `tenant_id`, `term`, `created_at`, `user_id` FROM `user_claim_terms` ORDER BY `tenant_id`, `term`, `created_at`, `user_id`;--> statement-breakpoint
DROP TABLE `user_claim_terms`;--> statement-breakpoint
ALTER TABLE `__new_user_claim_terms` RENAME TO `user_claim_terms`;--> statement-breakpoint
CREATE TABLE `__new_session_claims` (
	`tenant_id` text NOT NULL,
	`session_id` text NOT NULL,
	`configuration_id` text NOT NULL,
	`issuance_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `session_id`, `configuration_id`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_session_claims` (`tenant_id`, `session_id`, `configuration_id`, `issuance_id`)
	SELECT `tenant_id`, `session_id`, `configuration_id`, `issuance_id` FROM `session_claims` ORDER BY `tenant_id`, `session_id`, `configuration_id`;--> statement-breakpoint
DROP TABLE `session_claims`;--> statement-breakpoint
ALTER TABLE `__new_session_claims` RENAME TO `session_claims`;--> statement-breakpoint
CREATE TABLE `__new_notifications` (
	`tenant_id` text NOT NULL,
	`issuance_id` text NOT NULL,
	`event` text NOT NULL,
	`description` text,
	`received_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `issuance_id`, `event`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_notifications` (`tenant_id`, `issuance_id`, `event`, `description`, `received_at`)
	SELECT `tenant_id`, `issuance_id`, `event`, `description`, `received_at` FROM `notifications` ORDER BY `tenant_id`, `issuance_id`, `event`;--> statement-breakpoint
DROP TABLE `notifications`;--> statement-breakpoint
ALTER TABLE `__new_notifications` RENAME TO `notifications`;--> statement-breakpoint
CREATE TABLE `__new_shared_offer_configurations` (
	`tenant_id` text NOT NULL,
	`configuration_id` text NOT NULL,
	`offer_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `configuration_id`, `created_at`, `offer_id`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_shared_offer_configurations` (`tenant_id`, `configuration_id`, `offer_id`, `created_at`)
	SELECT `tenant_id`, `configuration_id`, `offer_id`, `created_at` FROM `shared_offer_configurations` ORDER BY `tenant_id`, `configuration_id`, `created_at`, `offer_id`;--> statement-breakpoint
DROP TABLE `shared_offer_configurations`;--> statement-breakpoint
ALTER TABLE `__new_shared_offer_configurations` RENAME TO `shared_offer_configurations`;--> statement-breakpoint
CREATE TABLE `__new_audit_objects` (
	`tenant_id` text NOT NULL,
	`object_id` text NOT NULL,
	`audit_id` text NOT NULL,
	`changed_by_name` text,
	PRIMARY KEY(`tenant_id`, `object_id`, `audit_id`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_audit_objects` (`tenant_id`, `object_id`, `audit_id`, `changed_by_name`)
	SELECT `tenant_id`, `object_id`, `audit_id`, `changed_by_name` FROM `audit_objects` ORDER BY `tenant_id`, `object_id`, `audit_id`;--> statement-breakpoint
DROP TABLE `audit_objects`;--> statement-breakpoint
ALTER TABLE `__new_audit_objects` RENAME TO `audit_objects`;
