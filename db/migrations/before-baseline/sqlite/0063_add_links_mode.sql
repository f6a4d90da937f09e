ALTER TABLE `bulk_issuances` ADD `link_seconds` integer;--> statement-breakpoint
ALTER TABLE `bulk_issuances` ADD `transaction_code` text;--> statement-breakpoint
ALTER TABLE `bulk_issuances` ADD `codes_shown_until` integer;--> statement-breakpoint
ALTER TABLE `bulk_issuances` ADD `renewed_at` integer;--> statement-breakpoint
ALTER TABLE `bulk_issuances` ADD `links_until` integer;