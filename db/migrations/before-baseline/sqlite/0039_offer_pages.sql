ALTER TABLE `offers` ADD `is_by_reference` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `shared_offers` ADD `is_by_reference` integer DEFAULT false NOT NULL;