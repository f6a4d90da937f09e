ALTER TABLE `authorizations` ADD `claim_link_id` text;--> statement-breakpoint
ALTER TABLE `bulk_issuances` ADD `sign_in` text;--> statement-breakpoint
ALTER TABLE `claim_links` ADD `sign_in` text;--> statement-breakpoint
ALTER TABLE `offers` ADD `needs_sign_in` integer DEFAULT false NOT NULL;