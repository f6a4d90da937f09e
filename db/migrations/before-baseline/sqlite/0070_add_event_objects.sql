ALTER TABLE `events` ADD `object_id` text;--> statement-breakpoint
CREATE INDEX `events_object` ON `events` (`tenant_id`,`object_id`,`timestamp`) WHERE "events"."object_id" is not null;