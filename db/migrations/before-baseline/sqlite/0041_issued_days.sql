CREATE TABLE `issued_days` (
	`tenant_id` text NOT NULL,
	`day` integer NOT NULL,
	`issued` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`)
);
--> statement-breakpoint
CREATE INDEX `issued_days_age` ON `issued_days` (`day`);--> statement-breakpoint
INSERT INTO `issued_days` SELECT `tenant_id`, `ended_at` / 86400000 * 86400000, count(*) FROM `issuances` WHERE `state` IN ('issued', 'wiped') AND `ended_at` IS NOT NULL AND NOT EXISTS (SELECT 1 FROM `outbox` WHERE `outbox`.`id` = `issuances`.`id`) GROUP BY 1, 2;
