ALTER TABLE `keys` ADD `wrapped_under` text;--> statement-breakpoint
CREATE INDEX `keys_wrapped_under` ON `keys` (`wrapped_under`,`id`);--> statement-breakpoint
ALTER TABLE `published_lists` ADD `key_id` text;