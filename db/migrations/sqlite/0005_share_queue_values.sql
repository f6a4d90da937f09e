-- The counters of limits that the processes of a service without Redis share (db/queue).
CREATE TABLE `queue_counters` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`ends_at` integer NOT NULL
) WITHOUT ROWID;--> statement-breakpoint
CREATE INDEX `queue_counters_end` ON `queue_counters` (`ends_at`);
