CREATE TABLE `trusted_issuers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`certificate_pem` text NOT NULL,
	`fingerprint` text NOT NULL,
	`not_before` integer NOT NULL,
	`not_after` integer NOT NULL,
	`country` text,
	`common_name` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `trusted_issuers_certificate` ON `trusted_issuers` (`tenant_id`,`fingerprint`);--> statement-breakpoint
CREATE INDEX `trusted_issuers_page` ON `trusted_issuers` (`tenant_id`,`created_at`,`id`);