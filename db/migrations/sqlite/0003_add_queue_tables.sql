-- The queues of db/queue. PostgreSQL has no such tables, so db/tables does not define them.
CREATE TABLE `queue_jobs` (
	`row` integer PRIMARY KEY,
	`queue` text NOT NULL,
	`id` text NOT NULL,
	`state` text NOT NULL,
	`rank` integer NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`priority` integer NOT NULL,
	`delay_ms` integer NOT NULL,
	`added_at` integer NOT NULL,
	`attempts_made` integer DEFAULT 0 NOT NULL,
	`attempts_started` integer DEFAULT 0 NOT NULL,
	`stalls` integer DEFAULT 0 NOT NULL,
	`lock_token` text,
	`started_at` integer,
	`started_by` text,
	`finished_at` integer,
	`result` text,
	`failure` text,
	`deferred_failure` text,
	`stacktrace` text,
	`scheduler_id` text,
	`options` text NOT NULL,
	`data` text NOT NULL
);--> statement-breakpoint
CREATE UNIQUE INDEX `queue_jobs_id` ON `queue_jobs` (`queue`, `id`);--> statement-breakpoint
CREATE INDEX `queue_jobs_order` ON `queue_jobs` (`queue`, `state`, `rank`, `position`);--> statement-breakpoint
CREATE TABLE `queue_meta` (
	`queue` text NOT NULL,
	`field` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`queue`, `field`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `queue_schedulers` (
	`queue` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`every_ms` integer NOT NULL,
	`offset_ms` integer NOT NULL,
	`starts_at` integer,
	`next_at` integer NOT NULL,
	`iterations` integer NOT NULL,
	`options` text NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`queue`, `id`)
) WITHOUT ROWID;
