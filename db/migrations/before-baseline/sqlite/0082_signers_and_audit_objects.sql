CREATE TABLE `audit_objects` (
	`tenant_id` text NOT NULL,
	`object_id` text NOT NULL,
	`audit_id` text NOT NULL,
	`changed_by_name` text,
	PRIMARY KEY(`tenant_id`, `object_id`, `audit_id`)
);
--> statement-breakpoint
ALTER TABLE `signed_credentials` ADD `signer_id` text;--> statement-breakpoint
ALTER TABLE `credentials` ADD `signer_id` text;--> statement-breakpoint
ALTER TABLE `status_bulks` ADD `changed_by` text;