CREATE TABLE `walks` (
	`id` text PRIMARY KEY NOT NULL,
	`cursor` text NOT NULL,
	`started_at` integer NOT NULL,
	`has_left` integer NOT NULL,
	`cleared_at` integer
);
