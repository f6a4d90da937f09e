ALTER TABLE `gone_views` ADD `host` text;--> statement-breakpoint
CREATE INDEX `gone_views_host` ON `gone_views` (`tenant_id`,`host`);--> statement-breakpoint
ALTER TABLE `views` ADD `host` text;--> statement-breakpoint
CREATE UNIQUE INDEX `views_host` ON `views` (`host`);