CREATE INDEX `certificates_serial` ON `certificates` (`tenant_id`,`serial_number`);--> statement-breakpoint
CREATE INDEX `participants_name` ON `participants` (`tenant_id`,lower("name"));