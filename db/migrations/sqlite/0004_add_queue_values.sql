-- What the processes of a service without Redis tell each other (db/queue/values.ts). PostgreSQL has no such table.
CREATE TABLE `queue_values` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`value` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `id`)
) WITHOUT ROWID;
