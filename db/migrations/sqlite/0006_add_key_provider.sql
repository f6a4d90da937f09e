ALTER TABLE `keys` ADD `provider` text DEFAULT 'software' NOT NULL;--> statement-breakpoint
ALTER TABLE `keys` ADD `handle` text;