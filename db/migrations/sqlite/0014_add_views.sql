CREATE TABLE `gone_views` (
	`tenant_id` text NOT NULL,
	`path` text NOT NULL,
	`gone_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `path`)
);
--> statement-breakpoint
CREATE INDEX `gone_views_age` ON `gone_views` (`gone_at`);--> statement-breakpoint
CREATE TABLE `views` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`path` text NOT NULL,
	`profile` text NOT NULL,
	`configurations` text NOT NULL,
	`display_name` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `views_path` ON `views` (`tenant_id`,`path`);--> statement-breakpoint
CREATE INDEX `views_page` ON `views` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `authorizations` ADD `view_id` text;--> statement-breakpoint
CREATE INDEX `authorizations_view` ON `authorizations` (`tenant_id`,`view_id`) WHERE "authorizations"."view_id" is not null;--> statement-breakpoint
ALTER TABLE `offers` ADD `view_id` text;--> statement-breakpoint
CREATE INDEX `offers_view` ON `offers` (`tenant_id`,`view_id`) WHERE "offers"."view_id" is not null;--> statement-breakpoint
ALTER TABLE `pushed_requests` ADD `view_id` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `view_id` text;--> statement-breakpoint
CREATE INDEX `sessions_view` ON `sessions` (`tenant_id`,`view_id`) WHERE "sessions"."view_id" is not null;--> statement-breakpoint
ALTER TABLE `shared_offers` ADD `view_id` text;--> statement-breakpoint
CREATE INDEX `shared_offers_view` ON `shared_offers` (`tenant_id`,`view_id`) WHERE "shared_offers"."view_id" is not null;