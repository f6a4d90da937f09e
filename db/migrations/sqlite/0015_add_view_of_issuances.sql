ALTER TABLE `credentials` ADD `view_id` text;--> statement-breakpoint
ALTER TABLE `issuances` ADD `view_id` text;