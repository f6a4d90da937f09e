CREATE TABLE `participant_certificates` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`ecosystem_id` text NOT NULL,
	`participant_id` text NOT NULL,
	`role` text NOT NULL,
	`certificate_pem` text NOT NULL,
	`fingerprint` text NOT NULL,
	`ski` text NOT NULL,
	`subject` text NOT NULL,
	`not_before` integer NOT NULL,
	`not_after` integer NOT NULL,
	`doc_types` text,
	`active` integer NOT NULL,
	`source` text NOT NULL,
	`entry` blob NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `participant_certificates_certificate` ON `participant_certificates` (`participant_id`,`role`,`fingerprint`);--> statement-breakpoint
CREATE INDEX `participant_certificates_fingerprint` ON `participant_certificates` (`tenant_id`,`fingerprint`);--> statement-breakpoint
CREATE INDEX `participant_certificates_page` ON `participant_certificates` (`tenant_id`,`ecosystem_id`,`participant_id`,`role`,`created_at`,`id`);