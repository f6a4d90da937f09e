ALTER TABLE `trusted_list_configurations` ADD `last_automatic_at` integer;--> statement-breakpoint
ALTER TABLE `trusted_list_configurations` ADD `failing_since` integer;--> statement-breakpoint
ALTER TABLE `trusted_list_configurations` ADD `retry_at` integer;--> statement-breakpoint
CREATE INDEX `trusted_list_configurations_due` ON `trusted_list_configurations` (`auto_publishes`,`frequency`,`last_automatic_at`);--> statement-breakpoint
CREATE INDEX `trusted_lists_unpublished` ON `trusted_lists` (`created_at`) WHERE "trusted_lists"."number" is null;