CREATE TABLE `evidence_chunks` (
	`tenant_id` text NOT NULL,
	`ecosystem_id` text NOT NULL,
	`evidence_id` text NOT NULL,
	`position` integer NOT NULL,
	`content` blob NOT NULL,
	PRIMARY KEY(`evidence_id`, `position`)
);
--> statement-breakpoint
CREATE INDEX `evidence_chunks_ecosystem` ON `evidence_chunks` (`tenant_id`,`ecosystem_id`);--> statement-breakpoint
CREATE TABLE `participant_evidence` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`ecosystem_id` text NOT NULL,
	`participant_id` text NOT NULL,
	`state` text NOT NULL,
	`filename` text NOT NULL,
	`file_description` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text,
	`uploaded_by` text NOT NULL,
	`expires_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `participant_evidence_page` ON `participant_evidence` (`tenant_id`,`ecosystem_id`,`participant_id`,`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `participant_evidence_size` ON `participant_evidence` (`tenant_id`,`state`,`size_bytes`);--> statement-breakpoint
CREATE INDEX `participant_evidence_expires` ON `participant_evidence` (`expires_at`);