ALTER TABLE `clients` ADD `former_secret_hash` text;--> statement-breakpoint
ALTER TABLE `clients` ADD `former_secret_until` integer;