ALTER TABLE `authorizations` ADD `traceparent` text;--> statement-breakpoint
ALTER TABLE `offers` ADD `traceparent` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `traceparent` text;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `traceparent` text;