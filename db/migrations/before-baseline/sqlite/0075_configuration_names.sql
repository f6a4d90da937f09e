ALTER TABLE `configurations` ADD `names` text;--> statement-breakpoint
CREATE INDEX `configurations_without_names` ON `configurations` (`id`) WHERE "configurations"."names" is null;