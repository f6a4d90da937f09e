CREATE TABLE `ecosystem_credential_types` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`ecosystem_id` text NOT NULL,
	`profile` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ecosystem_credential_types_type` ON `ecosystem_credential_types` (`ecosystem_id`,`profile`,`type`);--> statement-breakpoint
CREATE INDEX `ecosystem_credential_types_page` ON `ecosystem_credential_types` (`tenant_id`,`ecosystem_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `ecosystems` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`policy_modified_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ecosystems_page` ON `ecosystems` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `ecosystem_integrations` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`ecosystem_id` text NOT NULL,
	`format` text NOT NULL,
	`url` text NOT NULL,
	`enabled` integer NOT NULL,
	`trust_anchors` text NOT NULL,
	`position` integer NOT NULL,
	`result` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ecosystem_integrations_url` ON `ecosystem_integrations` (`tenant_id`,`ecosystem_id`,`format`,`url`);--> statement-breakpoint
CREATE TABLE `participant_credential_types` (
	`tenant_id` text NOT NULL,
	`ecosystem_id` text NOT NULL,
	`participant_id` text NOT NULL,
	`role` text NOT NULL,
	`credential_type_id` text NOT NULL,
	PRIMARY KEY(`participant_id`, `role`, `credential_type_id`)
);
--> statement-breakpoint
CREATE INDEX `participant_credential_types_type` ON `participant_credential_types` (`tenant_id`,`credential_type_id`);--> statement-breakpoint
CREATE INDEX `participant_credential_types_ecosystem` ON `participant_credential_types` (`tenant_id`,`ecosystem_id`);--> statement-breakpoint
CREATE TABLE `participant_identifiers` (
	`tenant_id` text NOT NULL,
	`ecosystem_id` text NOT NULL,
	`participant_id` text NOT NULL,
	`profile` text NOT NULL,
	`identifier` text NOT NULL,
	PRIMARY KEY(`participant_id`, `profile`, `identifier`)
);
--> statement-breakpoint
CREATE INDEX `participant_identifiers_identifier` ON `participant_identifiers` (`tenant_id`,`profile`,`identifier`);--> statement-breakpoint
CREATE INDEX `participant_identifiers_ecosystem` ON `participant_identifiers` (`tenant_id`,`ecosystem_id`);--> statement-breakpoint
CREATE TABLE `participants` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`ecosystem_id` text NOT NULL,
	`name` text NOT NULL,
	`identifiers` text NOT NULL,
	`is_issuer` integer NOT NULL,
	`is_verifier` integer NOT NULL,
	`is_issuer_constrained` integer NOT NULL,
	`is_verifier_constrained` integer NOT NULL,
	`status` text NOT NULL,
	`country` text,
	`state_or_province` text,
	`contacts` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `participants_page` ON `participants` (`tenant_id`,`ecosystem_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `ecosystem_policies` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`ecosystem_id` text NOT NULL,
	`kind` text NOT NULL,
	`content` blob NOT NULL,
	`list_id` text,
	`published_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ecosystem_policies_latest` ON `ecosystem_policies` (`tenant_id`,`ecosystem_id`,`kind`,`published_at`,`id`);