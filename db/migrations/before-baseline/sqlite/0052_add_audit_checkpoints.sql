CREATE TABLE `audit_checkpoints` (
	`tenant_id` text NOT NULL,
	`size` integer NOT NULL,
	`note` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `size`)
);
--> statement-breakpoint
CREATE TABLE `audit_subtrees` (
	`tenant_id` text NOT NULL,
	`level` integer NOT NULL,
	`position` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `level`, `position`)
);
--> statement-breakpoint
ALTER TABLE `audit_heads` ADD `checkpoint_size` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `audit_heads` ADD `checkpointed_at` integer;--> statement-breakpoint
CREATE INDEX `audit_heads_checkpointed` ON `audit_heads` (`checkpointed_at`);