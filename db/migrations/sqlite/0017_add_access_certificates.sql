CREATE TABLE `access_certificates` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`subject` text NOT NULL,
	`csr` text NOT NULL,
	`chain` text,
	`certified` text,
	`fingerprint` text,
	`not_before` integer,
	`not_after` integer,
	`is_active` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `access_certificates_page` ON `access_certificates` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `access_certificates_active` ON `access_certificates` (`tenant_id`) WHERE "access_certificates"."is_active";--> statement-breakpoint
CREATE INDEX `access_certificates_end` ON `access_certificates` (`not_after`);--> statement-breakpoint
CREATE TABLE `registration_certificates` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`jwt` text NOT NULL,
	`registrar_dataset` text,
	`subject` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer,
	`created_at` integer NOT NULL
);
