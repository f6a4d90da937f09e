ALTER TABLE `offers` ADD `label` text;--> statement-breakpoint
CREATE INDEX `offers_label` ON `offers` (`tenant_id`,lower("label"),`created_at`,`id`) WHERE "offers"."label" is not null;--> statement-breakpoint
ALTER TABLE `shared_offers` ADD `label` text;--> statement-breakpoint
CREATE INDEX `shared_offers_label` ON `shared_offers` (`tenant_id`,lower("label"),`created_at`,`id`) WHERE "shared_offers"."label" is not null;--> statement-breakpoint
ALTER TABLE `users` ADD `label` text;--> statement-breakpoint
CREATE INDEX `users_label` ON `users` (`tenant_id`,lower("label"),`created_at`,`id`) WHERE "users"."label" is not null;