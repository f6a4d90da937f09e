ALTER TABLE `sessions` ADD `credentials_left` integer;--> statement-breakpoint
ALTER TABLE `spent_proofs` ADD `used_for` text;--> statement-breakpoint
ALTER TABLE `spent_proofs` ADD `request_hash` text;