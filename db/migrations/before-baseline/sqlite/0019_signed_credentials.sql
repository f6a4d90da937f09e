CREATE TABLE `signed_credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`profile` text NOT NULL,
	`issued_at` integer NOT NULL,
	`called_off_at` integer
);
--> statement-breakpoint
CREATE INDEX `signed_credentials_issued` ON `signed_credentials` (`tenant_id`,`issued_at`,`id`);--> statement-breakpoint
CREATE INDEX `signed_credentials_called_off` ON `signed_credentials` (`called_off_at`);--> statement-breakpoint
CREATE TABLE `stored_credential_types` (
	`tenant_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`type` text NOT NULL,
	`tag` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`credential_id`, `type`)
);
--> statement-breakpoint
CREATE INDEX `stored_credential_types_page` ON `stored_credential_types` (`tenant_id`,`type`,`created_at`,`credential_id`);--> statement-breakpoint
CREATE INDEX `stored_credential_types_tag` ON `stored_credential_types` (`tenant_id`,`type`,`tag`,`created_at`,`credential_id`);--> statement-breakpoint
CREATE INDEX `stored_credential_types_credential` ON `stored_credential_types` (`tenant_id`,`credential_id`);--> statement-breakpoint
CREATE TABLE `stored_credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`user_id` text,
	`tag` text,
	`credential` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `stored_credentials_page` ON `stored_credentials` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `stored_credentials_tag` ON `stored_credentials` (`tenant_id`,`tag`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `stored_credentials_user` ON `stored_credentials` (`tenant_id`,`user_id`);