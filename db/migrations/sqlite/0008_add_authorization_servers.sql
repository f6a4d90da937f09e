CREATE TABLE `authorization_servers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`issuer` text NOT NULL,
	`audience` text NOT NULL,
	`jwt_profile` text NOT NULL,
	`scopes` text NOT NULL,
	`subject_claim` text NOT NULL,
	`claims_to_persist` text NOT NULL,
	`user_info` integer NOT NULL,
	`client_id` text,
	`sealed_client_secret` text NOT NULL,
	`token_endpoint_auth_method` text NOT NULL,
	`assertion_audience` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `authorization_servers_issuer` ON `authorization_servers` (`tenant_id`,`issuer`);