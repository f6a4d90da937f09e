CREATE TABLE `key_comparisons` (
	`provider` text PRIMARY KEY NOT NULL,
	`compared_at` integer NOT NULL,
	`is_complete` integer NOT NULL,
	`row_count` integer NOT NULL,
	`key_count` integer NOT NULL,
	`missing_count` integer NOT NULL,
	`missing` text NOT NULL,
	`unused` text NOT NULL
);
