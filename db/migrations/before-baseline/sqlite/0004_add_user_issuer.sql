ALTER TABLE `users` ADD `issuer` text;--> statement-breakpoint
UPDATE `users` SET `issuer` = (SELECT rtrim(`url`, '/') FROM `authentication_providers` WHERE `authentication_providers`.`tenant_id` = `users`.`tenant_id` AND `authentication_providers`.`id` = `users`.`provider_id`) WHERE `provider_id` IS NOT NULL;
