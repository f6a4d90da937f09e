ALTER TABLE `configurations` ADD `scope` text;--> statement-breakpoint
CREATE UNIQUE INDEX `configurations_scope` ON `configurations` (`tenant_id`,`scope`);