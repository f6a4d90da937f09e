CREATE TABLE `shared_offer_configurations` (
	`tenant_id` text NOT NULL,
	`configuration_id` text NOT NULL,
	`offer_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `configuration_id`, `created_at`, `offer_id`)
);
--> statement-breakpoint
DROP INDEX `shared_offers_page`;--> statement-breakpoint
ALTER TABLE `shared_offers` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `shared_offers_tenant` ON `shared_offers` (`tenant_id`);--> statement-breakpoint
CREATE INDEX `shared_offers_list` ON `shared_offers` (`tenant_id`,`created_at`,`id`) WHERE "shared_offers"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `offers_list` ON `offers` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
INSERT INTO `shared_offer_configurations` SELECT DISTINCT `offer`.`tenant_id`, `named`.`value`, `offer`.`id`, `offer`.`created_at` FROM `shared_offers` AS `offer`, json_each(`offer`.`configuration_ids`) AS `named`;
