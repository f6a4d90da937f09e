CREATE TABLE "authentication_providers" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"url" text NOT NULL,
	"scope" json NOT NULL,
	"client_id" text NOT NULL,
	"sealed_client_secret" text NOT NULL,
	"token_endpoint_auth_method" text NOT NULL,
	"static_request_parameters" json NOT NULL,
	"forwarded_request_parameters" json NOT NULL,
	"claims_to_persist" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "authorizations" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"state" text NOT NULL,
	"client_id" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"client_state" text,
	"configuration_ids" json NOT NULL,
	"details_requested" boolean NOT NULL,
	"code_challenge" text NOT NULL,
	"dpop_jkt" text,
	"instance_jkt" text,
	"offer_id" text,
	"request_parameters" json NOT NULL,
	"step_hash" text,
	"sealed_login" text,
	"user_id" text,
	"hook_claims" json,
	"code_hash" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_clients" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"client_id" text NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" json NOT NULL,
	"attestation" json NOT NULL,
	"dpop_required" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pushed_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"client_id" text NOT NULL,
	"secret_hash" text NOT NULL,
	"parameters" json NOT NULL,
	"dpop_jkt" text,
	"instance_jkt" text,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"grant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"dpop_jkt" text NOT NULL,
	"spent_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "claim_sources" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"authorization_type" text NOT NULL,
	"sealed_authorization" text NOT NULL,
	"request_method" text NOT NULL,
	"request_parameters" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "interaction_hooks" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"claims" json NOT NULL,
	"session_timeout_in_sec" integer NOT NULL,
	"disabled" boolean NOT NULL,
	"sealed_secret" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"roles" json NOT NULL,
	"secret_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "configurations" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"profile" text NOT NULL,
	"type" text NOT NULL,
	"unique_type" text,
	"settings" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"type" text NOT NULL,
	"category" text NOT NULL,
	"timestamp" timestamp (3) with time zone NOT NULL,
	"request_id" text NOT NULL,
	"client_id" text,
	"management_user_id" text,
	"offer_id" text,
	"data" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credentials" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"issuance_id" text NOT NULL,
	"profile" text NOT NULL,
	"type" text NOT NULL,
	"offer_id" text,
	"session_id" text NOT NULL,
	"configuration_id" text NOT NULL,
	"device_public_key" json NOT NULL,
	"status" text NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"valid_until" timestamp (3) with time zone,
	"position" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "issuances" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"session_id" text NOT NULL,
	"offer_id" text,
	"grant_id" text,
	"user_id" text NOT NULL,
	"configuration_id" text NOT NULL,
	"state" text NOT NULL,
	"claims" json,
	"holder_keys" json NOT NULL,
	"credentials" json,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"deferred_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"tenant_id" text NOT NULL,
	"issuance_id" text NOT NULL,
	"event" text NOT NULL,
	"description" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notifications_key" PRIMARY KEY("tenant_id","issuance_id","event")
);
--> statement-breakpoint
CREATE TABLE "session_claims" (
	"tenant_id" text NOT NULL,
	"session_id" text NOT NULL,
	"configuration_id" text NOT NULL,
	"issuance_id" text NOT NULL,
	CONSTRAINT "session_claims_key" PRIMARY KEY("tenant_id","session_id","configuration_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"offer_id" text,
	"client_id" text,
	"configuration_ids" json NOT NULL,
	"credential_identifiers" json NOT NULL,
	"token_hash" text NOT NULL,
	"grant_id" text,
	"dpop_jkt" text,
	"sent_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "spent_proofs" (
	"tenant_id" text NOT NULL,
	"hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "spent_proofs_key" PRIMARY KEY("tenant_id","hash")
);
--> statement-breakpoint
CREATE TABLE "keys" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"purpose" text NOT NULL,
	"algorithm" text NOT NULL,
	"public_jwk" json NOT NULL,
	"wrapped_private_key" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"retired_at" timestamp (3) with time zone,
	"published_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "offers" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"state" text NOT NULL,
	"configuration_ids" json NOT NULL,
	"claims" json NOT NULL,
	"code_hash" text NOT NULL,
	"sealed_code" text,
	"transaction_code_mac" text,
	"transaction_code_description" text,
	"wrong_transaction_codes" integer NOT NULL,
	"session_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shared_offers" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"configuration_ids" json NOT NULL,
	"request_parameters" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" text PRIMARY KEY NOT NULL,
	"job" text NOT NULL,
	"payload" json NOT NULL,
	"priority" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"taken_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tenant_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tenants" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"name" text NOT NULL,
	"subdomain" text NOT NULL,
	"canonical_host" text NOT NULL,
	"did" text NOT NULL,
	"settings" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_claim_terms" (
	"tenant_id" text NOT NULL,
	"term" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"user_id" text NOT NULL,
	CONSTRAINT "user_claim_terms_key" PRIMARY KEY("tenant_id","term","created_at","user_id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"claims" json NOT NULL,
	"provider_id" text,
	"subject_id" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"webhook_id" text NOT NULL,
	"event_id" text NOT NULL,
	"kind" text NOT NULL,
	"credential_id" text,
	"event_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"attempts" json NOT NULL,
	"attempts_made" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"events" json NOT NULL,
	"url" text NOT NULL,
	"disabled" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "authentication_providers_tenant" ON "authentication_providers" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "authorizations_user" ON "authorizations" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "authorizations_expiry" ON "authorizations" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_clients_client_id" ON "oauth_clients" USING btree ("tenant_id","client_id");--> statement-breakpoint
CREATE INDEX "oauth_clients_page" ON "oauth_clients" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "pushed_requests_expiry" ON "pushed_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "refresh_tokens_grant" ON "refresh_tokens" USING btree ("tenant_id","grant_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_user" ON "refresh_tokens" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_expiry" ON "refresh_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "claim_sources_page" ON "claim_sources" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "clients_page" ON "clients" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "configurations_page" ON "configurations" USING btree ("tenant_id","profile","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "configurations_unique_type" ON "configurations" USING btree ("tenant_id","unique_type");--> statement-breakpoint
CREATE INDEX "events_page" ON "events" USING btree ("tenant_id","timestamp","id");--> statement-breakpoint
CREATE INDEX "events_request" ON "events" USING btree ("tenant_id","request_id");--> statement-breakpoint
CREATE INDEX "events_offer" ON "events" USING btree ("tenant_id","offer_id","timestamp") WHERE "events"."offer_id" is not null;--> statement-breakpoint
CREATE INDEX "credentials_page" ON "credentials" USING btree ("tenant_id","user_id","issued_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "credentials_issuance" ON "credentials" USING btree ("tenant_id","issuance_id","position");--> statement-breakpoint
CREATE INDEX "issuances_user" ON "issuances" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "issuances_state" ON "issuances" USING btree ("state","requested_at");--> statement-breakpoint
CREATE INDEX "issuances_offer" ON "issuances" USING btree ("tenant_id","offer_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "sessions_grant" ON "sessions" USING btree ("tenant_id","grant_id") WHERE "sessions"."grant_id" is not null;--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "spent_proofs_expiry" ON "spent_proofs" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "keys_purpose" ON "keys" USING btree ("tenant_id","purpose","created_at");--> statement-breakpoint
CREATE INDEX "offers_user" ON "offers" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "offers_expiry" ON "offers" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "shared_offers_page" ON "shared_offers" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "outbox_order" ON "outbox" USING btree ("taken_until","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "tenants_subdomain" ON "tenants" USING btree ("subdomain");--> statement-breakpoint
CREATE INDEX "users_page" ON "users" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_subject" ON "users" USING btree ("tenant_id","provider_id","subject_id") WHERE "users"."provider_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_page" ON "deliveries" USING btree ("tenant_id","webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("next_attempt_at") WHERE "deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_undelivered" ON "deliveries" USING btree ("tenant_id","state","webhook_id","created_at","id") WHERE "deliveries"."state" <> 'delivered';--> statement-breakpoint
CREATE INDEX "webhooks_page" ON "webhooks" USING btree ("tenant_id","created_at","id");