CREATE TABLE `sd_jwt_types` (
	`configuration_id` text NOT NULL,
	`version` integer NOT NULL,
	`tenant_id` text NOT NULL,
	`content` blob NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`configuration_id`, `version`)
);
--> statement-breakpoint
CREATE INDEX `sd_jwt_types_tenant` ON `sd_jwt_types` (`tenant_id`);