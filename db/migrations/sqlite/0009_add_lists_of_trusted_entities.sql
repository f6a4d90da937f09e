ALTER TABLE `ecosystem_integrations` ADD `lote_type` text;--> statement-breakpoint
ALTER TABLE `ecosystem_integrations` ADD `types` text;--> statement-breakpoint
ALTER TABLE `integrated_certificates` ADD `services` text;