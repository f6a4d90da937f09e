CREATE TABLE `holder_applications` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`settings` text NOT NULL,
	`instance_count` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `holder_applications_page` ON `holder_applications` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `holder_instances` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`application_id` text NOT NULL,
	`app_attestation_type` text NOT NULL,
	`public_jwk` text NOT NULL,
	`device_details` text NOT NULL,
	`sdk_details` text NOT NULL,
	`last_attested_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `holder_instances_page` ON `holder_instances` (`tenant_id`,`application_id`,`created_at`,`id`);