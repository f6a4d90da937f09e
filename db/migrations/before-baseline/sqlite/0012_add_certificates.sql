CREATE TABLE `certificates` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`kind` text NOT NULL,
	`ca_id` text,
	`is_managed` integer NOT NULL,
	`made_by` text NOT NULL,
	`is_active` integer NOT NULL,
	`csr` text,
	`certificate` blob,
	`serial_number` text,
	`fingerprint` text,
	`not_before` integer,
	`not_after` integer,
	`subject` text NOT NULL,
	`revoked_at` integer,
	`retired_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `certificates_serial_number` ON `certificates` (`tenant_id`,`ca_id`,`serial_number`);--> statement-breakpoint
CREATE INDEX `certificates_page` ON `certificates` (`tenant_id`,`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `certificates_ca` ON `certificates` (`tenant_id`,`ca_id`,`kind`);--> statement-breakpoint
CREATE INDEX `certificates_end` ON `certificates` (`kind`,`not_after`);--> statement-breakpoint
CREATE INDEX `certificates_unmade` ON `certificates` (`created_at`) WHERE "certificates"."certificate" is null and "certificates"."csr" is null;--> statement-breakpoint
CREATE TABLE `crls` (
	`ca_id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`number` integer NOT NULL,
	`content` blob NOT NULL,
	`this_update` integer NOT NULL,
	`next_update` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `crls_tenant` ON `crls` (`tenant_id`);--> statement-breakpoint
CREATE INDEX `crls_age` ON `crls` (`this_update`);--> statement-breakpoint
CREATE TABLE `revoked_certificates` (
	`ca_id` text NOT NULL,
	`serial_number` text NOT NULL,
	`tenant_id` text NOT NULL,
	`revoked_at` integer NOT NULL,
	`published_at` integer,
	PRIMARY KEY(`ca_id`, `serial_number`)
);
--> statement-breakpoint
CREATE INDEX `revoked_certificates_tenant` ON `revoked_certificates` (`tenant_id`);--> statement-breakpoint
CREATE INDEX `revoked_certificates_published` ON `revoked_certificates` (`published_at`,`ca_id`);