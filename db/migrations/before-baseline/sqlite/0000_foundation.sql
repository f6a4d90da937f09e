CREATE TABLE `authentication_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`url` text NOT NULL,
	`scope` text NOT NULL,
	`client_id` text NOT NULL,
	`sealed_client_secret` text NOT NULL,
	`token_endpoint_auth_method` text NOT NULL,
	`static_request_parameters` text NOT NULL,
	`forwarded_request_parameters` text NOT NULL,
	`claims_to_persist` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `authentication_providers_tenant` ON `authentication_providers` (`tenant_id`);--> statement-breakpoint
CREATE TABLE `authorizations` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`state` text NOT NULL,
	`client_id` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`client_state` text,
	`configuration_ids` text NOT NULL,
	`details_requested` integer NOT NULL,
	`code_challenge` text NOT NULL,
	`dpop_jkt` text,
	`instance_jkt` text,
	`offer_id` text,
	`request_parameters` text NOT NULL,
	`step_hash` text,
	`sealed_login` text,
	`user_id` text,
	`hook_claims` text,
	`code_hash` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `authorizations_user` ON `authorizations` (`tenant_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `authorizations_expiry` ON `authorizations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `oauth_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`client_id` text NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`attestation` text NOT NULL,
	`dpop_required` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_clients_client_id` ON `oauth_clients` (`tenant_id`,`client_id`);--> statement-breakpoint
CREATE INDEX `oauth_clients_page` ON `oauth_clients` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `pushed_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`client_id` text NOT NULL,
	`secret_hash` text NOT NULL,
	`parameters` text NOT NULL,
	`dpop_jkt` text,
	`instance_jkt` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pushed_requests_expiry` ON `pushed_requests` (`expires_at`);--> statement-breakpoint
CREATE TABLE `refresh_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`grant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`dpop_jkt` text NOT NULL,
	`spent_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `refresh_tokens_grant` ON `refresh_tokens` (`tenant_id`,`grant_id`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_user` ON `refresh_tokens` (`tenant_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_expiry` ON `refresh_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `claim_sources` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`authorization_type` text NOT NULL,
	`sealed_authorization` text NOT NULL,
	`request_method` text NOT NULL,
	`request_parameters` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `claim_sources_page` ON `claim_sources` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `interaction_hooks` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`claims` text NOT NULL,
	`session_timeout_in_sec` integer NOT NULL,
	`disabled` integer NOT NULL,
	`sealed_secret` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `clients` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`roles` text NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `clients_page` ON `clients` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `configurations` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`profile` text NOT NULL,
	`type` text NOT NULL,
	`unique_type` text,
	`settings` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `configurations_page` ON `configurations` (`tenant_id`,`profile`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `configurations_unique_type` ON `configurations` (`tenant_id`,`unique_type`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`type` text NOT NULL,
	`category` text NOT NULL,
	`timestamp` integer NOT NULL,
	`request_id` text NOT NULL,
	`client_id` text,
	`management_user_id` text,
	`offer_id` text,
	`data` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `events_page` ON `events` (`tenant_id`,`timestamp`,`id`);--> statement-breakpoint
CREATE INDEX `events_request` ON `events` (`tenant_id`,`request_id`);--> statement-breakpoint
CREATE INDEX `events_offer` ON `events` (`tenant_id`,`offer_id`,`timestamp`) WHERE "events"."offer_id" is not null;--> statement-breakpoint
CREATE TABLE `credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`issuance_id` text NOT NULL,
	`profile` text NOT NULL,
	`type` text NOT NULL,
	`offer_id` text,
	`session_id` text NOT NULL,
	`configuration_id` text NOT NULL,
	`device_public_key` text NOT NULL,
	`status` text NOT NULL,
	`issued_at` integer NOT NULL,
	`valid_from` integer NOT NULL,
	`valid_until` integer,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `credentials_page` ON `credentials` (`tenant_id`,`user_id`,`issued_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `credentials_issuance` ON `credentials` (`tenant_id`,`issuance_id`,`position`);--> statement-breakpoint
CREATE TABLE `issuances` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`session_id` text NOT NULL,
	`offer_id` text,
	`grant_id` text,
	`user_id` text NOT NULL,
	`configuration_id` text NOT NULL,
	`state` text NOT NULL,
	`claims` text,
	`holder_keys` text NOT NULL,
	`credentials` text,
	`requested_at` integer NOT NULL,
	`ended_at` integer,
	`deferred_at` integer,
	`delivered_at` integer
);
--> statement-breakpoint
CREATE INDEX `issuances_user` ON `issuances` (`tenant_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `issuances_state` ON `issuances` (`state`,`requested_at`);--> statement-breakpoint
CREATE INDEX `issuances_offer` ON `issuances` (`tenant_id`,`offer_id`);--> statement-breakpoint
CREATE TABLE `notifications` (
	`tenant_id` text NOT NULL,
	`issuance_id` text NOT NULL,
	`event` text NOT NULL,
	`description` text,
	`received_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `issuance_id`, `event`)
);
--> statement-breakpoint
CREATE TABLE `session_claims` (
	`tenant_id` text NOT NULL,
	`session_id` text NOT NULL,
	`configuration_id` text NOT NULL,
	`issuance_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `session_id`, `configuration_id`)
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`offer_id` text,
	`client_id` text,
	`configuration_ids` text NOT NULL,
	`credential_identifiers` text NOT NULL,
	`token_hash` text NOT NULL,
	`grant_id` text,
	`dpop_jkt` text,
	`sent_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`tenant_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_grant` ON `sessions` (`tenant_id`,`grant_id`) WHERE "sessions"."grant_id" is not null;--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `spent_proofs` (
	`tenant_id` text NOT NULL,
	`hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `hash`)
);
--> statement-breakpoint
CREATE INDEX `spent_proofs_expiry` ON `spent_proofs` (`expires_at`);--> statement-breakpoint
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`purpose` text NOT NULL,
	`algorithm` text NOT NULL,
	`public_jwk` text NOT NULL,
	`wrapped_private_key` blob NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer,
	`published_until` integer
);
--> statement-breakpoint
CREATE INDEX `keys_purpose` ON `keys` (`tenant_id`,`purpose`,`created_at`);--> statement-breakpoint
CREATE TABLE `offers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`state` text NOT NULL,
	`configuration_ids` text NOT NULL,
	`claims` text NOT NULL,
	`code_hash` text NOT NULL,
	`sealed_code` text,
	`transaction_code_mac` text,
	`transaction_code_description` text,
	`wrong_transaction_codes` integer NOT NULL,
	`session_id` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `offers_user` ON `offers` (`tenant_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `offers_expiry` ON `offers` (`expires_at`);--> statement-breakpoint
CREATE TABLE `shared_offers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`configuration_ids` text NOT NULL,
	`request_parameters` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `shared_offers_page` ON `shared_offers` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`job` text NOT NULL,
	`payload` text NOT NULL,
	`priority` integer NOT NULL,
	`created_at` integer NOT NULL,
	`taken_until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outbox_order` ON `outbox` (`taken_until`,`created_at`);--> statement-breakpoint
CREATE TABLE `tenant_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`name` text NOT NULL,
	`subdomain` text NOT NULL,
	`canonical_host` text NOT NULL,
	`did` text NOT NULL,
	`settings` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenants_subdomain` ON `tenants` (`subdomain`);--> statement-breakpoint
CREATE TABLE `user_claim_terms` (
	`tenant_id` text NOT NULL,
	`term` text NOT NULL,
	`created_at` integer NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `term`, `created_at`, `user_id`)
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`claims` text NOT NULL,
	`provider_id` text,
	`subject_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `users_page` ON `users` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_subject` ON `users` (`tenant_id`,`provider_id`,`subject_id`) WHERE "users"."provider_id" is not null;--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`event_id` text NOT NULL,
	`kind` text NOT NULL,
	`credential_id` text,
	`event_at` integer NOT NULL,
	`state` text NOT NULL,
	`attempts` text NOT NULL,
	`attempts_made` integer NOT NULL,
	`next_attempt_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deliveries_page` ON `deliveries` (`tenant_id`,`webhook_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`next_attempt_at`) WHERE "deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_undelivered` ON `deliveries` (`tenant_id`,`state`,`webhook_id`,`created_at`,`id`) WHERE "deliveries"."state" <> 'delivered';--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`events` text NOT NULL,
	`url` text NOT NULL,
	`disabled` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_page` ON `webhooks` (`tenant_id`,`created_at`,`id`);