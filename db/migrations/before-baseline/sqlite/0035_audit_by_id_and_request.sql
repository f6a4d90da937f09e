DROP INDEX `audit_events_request`;--> statement-breakpoint
CREATE UNIQUE INDEX `audit_events_id` ON `audit_events` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_events_request` ON `audit_events` (`tenant_id`,`request_id`,`timestamp`,`id`);