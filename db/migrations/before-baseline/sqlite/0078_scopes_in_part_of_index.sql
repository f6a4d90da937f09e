DROP INDEX `configurations_scope`;--> statement-breakpoint
CREATE UNIQUE INDEX `configurations_scope` ON `configurations` (`tenant_id`,`scope`) WHERE "configurations"."scope" is not null;