ALTER TABLE `bulk_issuances` ADD `source` text DEFAULT 'file' NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_rows` ADD `sealed_kept` text;--> statement-breakpoint
ALTER TABLE `claim_links` ADD `label` text;