CREATE TABLE `dids` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`method` text NOT NULL,
	`key_type` text,
	`did` text,
	`document` text,
	`documented_keys` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dids_did` ON `dids` (`tenant_id`,`did`);--> statement-breakpoint
CREATE INDEX `dids_page` ON `dids` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `dids_unmade` ON `dids` (`created_at`) WHERE "dids"."document" is null;