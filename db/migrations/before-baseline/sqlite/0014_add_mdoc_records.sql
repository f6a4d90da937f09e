ALTER TABLE `credentials` ADD `namespaces` text;--> statement-breakpoint
ALTER TABLE `credentials` ADD `mso_hash` text;--> statement-breakpoint
ALTER TABLE `issuances` ADD `validity` text;