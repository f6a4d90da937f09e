ALTER TABLE `bulk_issuances` ADD `view_id` text;--> statement-breakpoint
CREATE INDEX `bulk_issuances_view` ON `bulk_issuances` (`tenant_id`,`view_id`) WHERE "bulk_issuances"."view_id" is not null;