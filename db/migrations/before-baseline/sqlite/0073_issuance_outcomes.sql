CREATE TABLE `issuance_outcomes` (
	`tenant_id` text NOT NULL,
	`day` integer NOT NULL,
	`outcome` text NOT NULL,
	`configuration_id` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`, `outcome`, `configuration_id`)
);
--> statement-breakpoint
CREATE INDEX `issuance_outcomes_age` ON `issuance_outcomes` (`day`);