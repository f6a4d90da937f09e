ALTER TABLE `offer_failures` ADD `recorded_at` integer;--> statement-breakpoint
CREATE INDEX `offer_failures_recorded` ON `offer_failures` (`recorded_at`,`id`);