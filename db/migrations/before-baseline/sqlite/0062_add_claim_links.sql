CREATE TABLE `claim_links` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`bulk_id` text NOT NULL,
	`row_number` integer NOT NULL,
	`external_id` text,
	`user_id` text,
	`configuration_ids` text NOT NULL,
	`state` text NOT NULL,
	`generation` integer NOT NULL,
	`secret_hash` text NOT NULL,
	`sealed_content` text,
	`transaction_code` text,
	`wrong_codes` integer NOT NULL,
	`offer_id` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`opened_at` integer,
	`ended_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `claim_links_row` ON `claim_links` (`tenant_id`,`bulk_id`,`row_number`);--> statement-breakpoint
CREATE INDEX `claim_links_state` ON `claim_links` (`tenant_id`,`bulk_id`,`state`,`row_number`,`expires_at`);--> statement-breakpoint
CREATE INDEX `claim_links_user` ON `claim_links` (`tenant_id`,`user_id`) WHERE "claim_links"."user_id" is not null;--> statement-breakpoint
CREATE INDEX `claim_links_expiry` ON `claim_links` (`expires_at`);--> statement-breakpoint
ALTER TABLE `offers` ADD `claim_link_id` text;