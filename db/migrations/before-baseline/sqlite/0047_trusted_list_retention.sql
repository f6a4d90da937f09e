ALTER TABLE `trusted_list_configurations` ADD `keep_last` integer;--> statement-breakpoint
ALTER TABLE `trusted_list_configurations` ADD `keep_monthly` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `trusted_list_configurations_retention` ON `trusted_list_configurations` (`id`) WHERE "trusted_list_configurations"."keep_last" is not null;