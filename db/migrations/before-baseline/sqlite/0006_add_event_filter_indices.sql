DROP INDEX `events_request`;--> statement-breakpoint
CREATE INDEX `events_type` ON `events` (`tenant_id`,`type`,`timestamp`);--> statement-breakpoint
CREATE INDEX `events_category` ON `events` (`tenant_id`,`category`,`timestamp`);--> statement-breakpoint
CREATE INDEX `events_client` ON `events` (`tenant_id`,`client_id`,`timestamp`) WHERE "events"."client_id" is not null;--> statement-breakpoint
CREATE INDEX `events_management_user` ON `events` (`tenant_id`,`management_user_id`,`timestamp`) WHERE "events"."management_user_id" is not null;--> statement-breakpoint
CREATE INDEX `events_request` ON `events` (`tenant_id`,`request_id`,`timestamp`);