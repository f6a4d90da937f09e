CREATE TABLE `verifier_applications` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`settings` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `verifier_applications_page` ON `verifier_applications` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `verifier_templates` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`purpose` text,
	`query` text NOT NULL,
	`checks` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `verifier_templates_page` ON `verifier_templates` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `verifier_wallet_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`authorization_endpoint` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `verifier_wallet_providers_page` ON `verifier_wallet_providers` (`tenant_id`,`created_at`,`id`);