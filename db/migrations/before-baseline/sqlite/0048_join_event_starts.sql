ALTER TABLE `events` ADD `started_at` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `start_data` text;