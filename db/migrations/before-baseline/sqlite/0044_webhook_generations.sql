ALTER TABLE `deliveries` ADD `generation` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `generation` integer DEFAULT 0 NOT NULL;