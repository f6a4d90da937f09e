CREATE TABLE "certificates" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"kind" text NOT NULL,
	"ca_id" text,
	"is_managed" boolean NOT NULL,
	"made_by" text NOT NULL,
	"is_active" boolean NOT NULL,
	"csr" text,
	"certificate" "bytea",
	"intermediate" "bytea",
	"serial_number" text,
	"fingerprint" text,
	"not_before" timestamp (3) with time zone,
	"not_after" timestamp (3) with time zone,
	"subject" json NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"retired_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "crls" (
	"ca_id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"number" integer NOT NULL,
	"content" "bytea" NOT NULL,
	"this_update" timestamp (3) with time zone NOT NULL,
	"next_update" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "revoked_certificates" (
	"ca_id" text NOT NULL,
	"serial_number" text NOT NULL,
	"tenant_id" text NOT NULL,
	"revoked_at" timestamp (3) with time zone NOT NULL,
	"published_at" timestamp (3) with time zone,
	CONSTRAINT "revoked_certificates_ca_id_serial_number_pk" PRIMARY KEY("ca_id","serial_number")
);
--> statement-breakpoint
CREATE TABLE "trusted_issuers" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"certificate_pem" text NOT NULL,
	"fingerprint" text NOT NULL,
	"not_before" timestamp (3) with time zone NOT NULL,
	"not_after" timestamp (3) with time zone NOT NULL,
	"country" text,
	"common_name" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console_links" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"client_id" text NOT NULL,
	"secret_hash" text NOT NULL,
	"client_secret_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console_program_codes" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"console_session_id" text NOT NULL,
	"secret_hash" text NOT NULL,
	"challenge" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console_providers" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"issuer" text NOT NULL,
	"client_id" text NOT NULL,
	"sealed_client_secret" text NOT NULL,
	"token_endpoint_auth_method" text NOT NULL,
	"assertion_audience" text DEFAULT 'issuer' NOT NULL,
	"scope" json NOT NULL,
	"claim" text NOT NULL,
	"user_claim" text NOT NULL,
	"roles" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"kind" text DEFAULT 'browser' NOT NULL,
	"client_id" text,
	"secret_hash" text NOT NULL,
	"client_secret_hash" text,
	"provider_hash" text,
	"management_user_id" text,
	"management_user_name" text,
	"roles" json,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console_sign_ins" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"state_hash" text NOT NULL,
	"browser_hash" text NOT NULL,
	"sealed_request" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contexts" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"url" text NOT NULL,
	"document" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "presentation_templates" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"domain" text NOT NULL,
	"query" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signed_credentials" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"profile" text NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"called_off_at" timestamp (3) with time zone,
	"signer_id" text
);
--> statement-breakpoint
CREATE TABLE "stored_credential_types" (
	"tenant_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"type" text NOT NULL,
	"tag" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stored_credential_types_credential_id_type_pk" PRIMARY KEY("credential_id","type")
);
--> statement-breakpoint
CREATE TABLE "stored_credentials" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"profile" text DEFAULT 'web-semantic' NOT NULL,
	"user_id" text,
	"tag" text,
	"credential" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ecosystem_credential_types" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"profile" text NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ecosystems" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"policy_modified_at" timestamp (3) with time zone NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "evidence_chunks" (
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"evidence_id" text NOT NULL,
	"position" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "evidence_chunks_evidence_id_position_pk" PRIMARY KEY("evidence_id","position")
);
--> statement-breakpoint
CREATE TABLE "participant_evidence" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"participant_id" text NOT NULL,
	"state" text NOT NULL,
	"filename" text NOT NULL,
	"file_description" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"sha256" text,
	"uploaded_by" text NOT NULL,
	"uploader" text DEFAULT 'client' NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ecosystem_integrations" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"format" text NOT NULL,
	"url" text NOT NULL,
	"enabled" boolean NOT NULL,
	"trust_anchors" json NOT NULL,
	"position" integer NOT NULL,
	"result" json,
	"last_good" json,
	"next_sync_at" timestamp (3) with time zone,
	"queued_until" timestamp (3) with time zone,
	"attempted_at" timestamp (3) with time zone,
	"succeeded_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "integrated_certificates" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"integration_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"ski" text,
	"name" text,
	"certificate" "bytea" NOT NULL,
	"doc_types" json NOT NULL,
	"not_before" timestamp (3) with time zone NOT NULL,
	"not_after" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "participant_certificates" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"participant_id" text NOT NULL,
	"role" text NOT NULL,
	"certificate_pem" text NOT NULL,
	"fingerprint" text NOT NULL,
	"ski" text NOT NULL,
	"subject" json NOT NULL,
	"not_before" timestamp (3) with time zone NOT NULL,
	"not_after" timestamp (3) with time zone NOT NULL,
	"doc_types" json,
	"active" boolean NOT NULL,
	"source" text NOT NULL,
	"entry" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "participant_credential_types" (
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"participant_id" text NOT NULL,
	"role" text NOT NULL,
	"credential_type_id" text NOT NULL,
	CONSTRAINT "participant_credential_types_participant_id_role_credential_type_id_pk" PRIMARY KEY("participant_id","role","credential_type_id")
);
--> statement-breakpoint
CREATE TABLE "participant_identifiers" (
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"participant_id" text NOT NULL,
	"profile" text NOT NULL,
	"identifier" text NOT NULL,
	CONSTRAINT "participant_identifiers_participant_id_profile_identifier_pk" PRIMARY KEY("participant_id","profile","identifier")
);
--> statement-breakpoint
CREATE TABLE "participants" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"name" text NOT NULL,
	"identifiers" json NOT NULL,
	"is_issuer" boolean NOT NULL,
	"is_verifier" boolean NOT NULL,
	"is_issuer_constrained" boolean NOT NULL,
	"is_verifier_constrained" boolean NOT NULL,
	"status" text NOT NULL,
	"country" text,
	"state_or_province" text,
	"contacts" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ecosystem_policies" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"kind" text NOT NULL,
	"content" "bytea" NOT NULL,
	"list_id" text,
	"published_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trusted_list_configurations" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"kind" text NOT NULL,
	"provider" text,
	"auto_publishes" boolean NOT NULL,
	"frequency" text,
	"auto_publish_configured_at" timestamp (3) with time zone,
	"last_number" integer NOT NULL,
	"keep_last" integer,
	"keep_monthly" boolean DEFAULT false NOT NULL,
	"last_automatic_at" timestamp (3) with time zone,
	"last_failure_at" timestamp (3) with time zone,
	"last_failure_reason" text,
	"failing_since" timestamp (3) with time zone,
	"retry_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trusted_lists" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"kind" text NOT NULL,
	"is_auto_published" boolean NOT NULL,
	"number" integer,
	"date" timestamp (3) with time zone,
	"next_update" timestamp (3) with time zone,
	"content" "bytea",
	"signer_id" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dids" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"method" text NOT NULL,
	"key_type" text,
	"did" text,
	"document" json,
	"documented_keys" json,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "keys" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"owner_kind" text DEFAULT 'tenant' NOT NULL,
	"owner_id" text DEFAULT '' NOT NULL,
	"purpose" text NOT NULL,
	"algorithm" text NOT NULL,
	"public_jwk" json NOT NULL,
	"wrapped_private_key" "bytea" NOT NULL,
	"wrapped_under" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"retired_at" timestamp (3) with time zone,
	"published_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "authorizations" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"state" text NOT NULL,
	"client_id" text NOT NULL,
	"registration_id" text,
	"redirect_uri" text NOT NULL,
	"pushed_request_id" text,
	"client_state" text,
	"configuration_ids" json NOT NULL,
	"details_requested" boolean NOT NULL,
	"code_challenge" text NOT NULL,
	"dpop_jkt" text,
	"instance_jkt" text,
	"offer_id" text,
	"claim_link_id" text,
	"request_parameters" json NOT NULL,
	"step_hash" text,
	"sealed_login" text,
	"user_id" text,
	"hook_claims" json,
	"code_hash" text,
	"traceparent" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bulk_file_chunks" (
	"tenant_id" text NOT NULL,
	"bulk_id" text NOT NULL,
	"position" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "bulk_file_chunks_bulk_id_position_pk" PRIMARY KEY("bulk_id","position")
);
--> statement-breakpoint
CREATE TABLE "bulk_issuances" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"state" text NOT NULL,
	"mode" text NOT NULL,
	"source" text DEFAULT 'file' NOT NULL,
	"configuration_ids" json NOT NULL,
	"format" text NOT NULL,
	"columns" json NOT NULL,
	"on_duplicate" text NOT NULL,
	"validate_only" boolean NOT NULL,
	"link_seconds" integer,
	"transaction_code" json,
	"sign_in" json,
	"codes_shown_until" timestamp (3) with time zone,
	"renewed_at" timestamp (3) with time zone,
	"links_until" timestamp (3) with time zone,
	"link_renewal" json,
	"file_name" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"failure" json,
	"total" integer NOT NULL,
	"valid" integer NOT NULL,
	"invalid" integer NOT NULL,
	"done" integer NOT NULL,
	"failed" integer NOT NULL,
	"progress" integer NOT NULL,
	"issues" text NOT NULL,
	"run" integer NOT NULL,
	"running_since" timestamp (3) with time zone,
	"done_before" integer NOT NULL,
	"erasures" integer DEFAULT 0 NOT NULL,
	"started_by" text NOT NULL,
	"starter" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "bulk_rows" (
	"tenant_id" text NOT NULL,
	"bulk_id" text NOT NULL,
	"row" integer NOT NULL,
	"state" text NOT NULL,
	"external_id" text,
	"user_id" text,
	"sealed_claims" text,
	"error_column" text,
	"code" text,
	"message" text,
	"credential_id" text,
	"sealed_result" text,
	"sealed_kept" text,
	CONSTRAINT "bulk_rows_bulk_id_row_pk" PRIMARY KEY("bulk_id","row")
);
--> statement-breakpoint
CREATE TABLE "claim_links" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"bulk_id" text NOT NULL,
	"row_number" integer NOT NULL,
	"external_id" text,
	"label" text,
	"user_id" text,
	"configuration_ids" json NOT NULL,
	"state" text NOT NULL,
	"generation" integer NOT NULL,
	"secret_hash" text NOT NULL,
	"sealed_content" text,
	"transaction_code" json,
	"sign_in" json,
	"wrong_codes" integer NOT NULL,
	"offer_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"opened_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
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
	"on_failure" text DEFAULT 'issue' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "configurations" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"profile" text NOT NULL,
	"type" text NOT NULL,
	"unique_type" text,
	"scope" text,
	"settings" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"names" json
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
	"device_public_key" json,
	"status" text NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"valid_until" timestamp (3) with time zone,
	"namespaces" json,
	"mso_hash" text,
	"position" integer NOT NULL,
	"signer_id" text
);
--> statement-breakpoint
CREATE TABLE "holder_applications" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"settings" json NOT NULL,
	"instance_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "holder_instances" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"application_id" text NOT NULL,
	"app_attestation_type" text NOT NULL,
	"public_jwk" json NOT NULL,
	"device_details" json NOT NULL,
	"sdk_details" json NOT NULL,
	"last_attested_at" timestamp (3) with time zone,
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
	"validity" json,
	"holder_keys" json NOT NULL,
	"credentials" json,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"deferred_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	"refusal" json
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
CREATE TABLE "offer_failures" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"failed_state" text NOT NULL,
	"request_id" text NOT NULL,
	"refused_by" text NOT NULL,
	"reason" text NOT NULL,
	"failed_at" timestamp (3) with time zone NOT NULL,
	"recorded_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
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
	"reference_hash" text,
	"is_by_reference" boolean DEFAULT false NOT NULL,
	"claim_link_id" text,
	"needs_sign_in" boolean DEFAULT false NOT NULL,
	"transaction_code_mac" text,
	"transaction_code_description" text,
	"wrong_transaction_codes" integer NOT NULL,
	"session_id" text,
	"traceparent" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"label" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pushed_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"client_id" text NOT NULL,
	"registration_id" text,
	"secret_hash" text NOT NULL,
	"parameters" json NOT NULL,
	"dpop_jkt" text,
	"instance_jkt" text,
	"authorization_id" text,
	"open_until" timestamp (3) with time zone,
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
CREATE TABLE "sd_jwt_types" (
	"configuration_id" text NOT NULL,
	"version" integer NOT NULL,
	"tenant_id" text NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sd_jwt_types_configuration_id_version_pk" PRIMARY KEY("configuration_id","version")
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
	"registration_id" text,
	"configuration_ids" json NOT NULL,
	"credential_identifiers" json NOT NULL,
	"token_hash" text NOT NULL,
	"grant_id" text,
	"dpop_jkt" text,
	"instance_jkt" text,
	"exchanged_hash" text,
	"credentials_left" integer,
	"sent_at" timestamp (3) with time zone,
	"traceparent" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shared_offer_configurations" (
	"tenant_id" text NOT NULL,
	"configuration_id" text NOT NULL,
	"offer_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "shared_offer_configurations_key" PRIMARY KEY("tenant_id","configuration_id","created_at","offer_id")
);
--> statement-breakpoint
CREATE TABLE "shared_offers" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"configuration_ids" json NOT NULL,
	"request_parameters" json NOT NULL,
	"reference_hash" text,
	"is_by_reference" boolean DEFAULT false NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"label" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "authentication_providers" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"url" text NOT NULL,
	"scope" json NOT NULL,
	"client_id" text NOT NULL,
	"sealed_client_secret" text NOT NULL,
	"token_endpoint_auth_method" text NOT NULL,
	"assertion_audience" text DEFAULT 'issuer' NOT NULL,
	"static_request_parameters" json NOT NULL,
	"forwarded_request_parameters" json NOT NULL,
	"claims_to_persist" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "spent_proofs" (
	"tenant_id" text NOT NULL,
	"hash" text NOT NULL,
	"used_for" text,
	"request_hash" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "spent_proofs_key" PRIMARY KEY("tenant_id","hash")
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
	"issuer" text,
	"label" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_providers" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"certificate_pem" text NOT NULL,
	"fingerprint" text NOT NULL,
	"not_before" timestamp (3) with time zone NOT NULL,
	"not_after" timestamp (3) with time zone NOT NULL,
	"country" text,
	"common_name" text,
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
CREATE TABLE "inbox_dids" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"inbox_id" text NOT NULL,
	"did" text NOT NULL,
	"proven_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inbox_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"inbox_id" text NOT NULL,
	"recipient" text NOT NULL,
	"message" json NOT NULL,
	"sha256" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inboxes" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"last_message_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outgoing_lines" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"recipient" text NOT NULL,
	"last_message_at" timestamp (3) with time zone NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"queued_until" timestamp (3) with time zone,
	"idle_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outgoing_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"line_id" text NOT NULL,
	"request_id" text NOT NULL,
	"message" json,
	"state" text NOT NULL,
	"attempts_made" integer NOT NULL,
	"last_attempt" json,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"kind" text NOT NULL,
	"operation" text NOT NULL,
	"state" text NOT NULL,
	"objects" integer NOT NULL,
	"details" json NOT NULL,
	"digest" text NOT NULL,
	"sealed_request" text,
	"sealed_answer" text,
	"asked_by_client_id" text,
	"asked_by_management_user_id" text,
	"decided_by_client_id" text,
	"decided_by_management_user_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "audit_checkpoints" (
	"tenant_id" text NOT NULL,
	"size" integer NOT NULL,
	"note" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_checkpoints_tenant_id_size_pk" PRIMARY KEY("tenant_id","size")
);
--> statement-breakpoint
CREATE TABLE "audit_subtrees" (
	"tenant_id" text NOT NULL,
	"level" integer NOT NULL,
	"position" integer NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_subtrees_tenant_id_level_position_pk" PRIMARY KEY("tenant_id","level","position")
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"tenant_id" text NOT NULL,
	"number" integer NOT NULL,
	"id" text NOT NULL,
	"type" text NOT NULL,
	"timestamp" timestamp (3) with time zone NOT NULL,
	"request_id" text NOT NULL,
	"client_id" text,
	"management_user_id" text,
	"data" json NOT NULL,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_events_tenant_id_number_pk" PRIMARY KEY("tenant_id","number")
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"hash" text NOT NULL,
	"checkpoint_size" integer DEFAULT 0 NOT NULL,
	"checkpointed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "audit_objects" (
	"tenant_id" text NOT NULL,
	"object_id" text NOT NULL,
	"audit_id" text NOT NULL,
	"changed_by_name" text,
	CONSTRAINT "audit_objects_tenant_id_object_id_audit_id_pk" PRIMARY KEY("tenant_id","object_id","audit_id")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"webhook_id" text NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"event_id" text NOT NULL,
	"kind" text NOT NULL,
	"subject_kind" text,
	"credential_id" text,
	"event_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"attempts" json NOT NULL,
	"attempts_made" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"queued_until" timestamp (3) with time zone,
	"traceparent" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"subject" text NOT NULL,
	"content" json NOT NULL,
	"request_id" text NOT NULL,
	"audit_number" integer,
	"receipt" text,
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
	"wallet_client_id" text,
	"management_user_id" text,
	"offer_id" text,
	"object_id" text,
	"data" json NOT NULL,
	"started_at" timestamp (3) with time zone,
	"start_data" json
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"caller_id" text NOT NULL,
	"key_hash" text NOT NULL,
	"fingerprint" text NOT NULL,
	"request_id" text NOT NULL,
	"state" text NOT NULL,
	"running_until" timestamp (3) with time zone NOT NULL,
	"user_id" text,
	"sealed_answer" text,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "issuance_outcomes" (
	"tenant_id" text NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"outcome" text NOT NULL,
	"configuration_id" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "issuance_outcomes_key" PRIMARY KEY("tenant_id","day","outcome","configuration_id")
);
--> statement-breakpoint
CREATE TABLE "issued_days" (
	"tenant_id" text NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"issued" integer NOT NULL,
	CONSTRAINT "issued_days_key" PRIMARY KEY("tenant_id","day")
);
--> statement-breakpoint
CREATE TABLE "listener_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"webhook_id" text NOT NULL,
	"sealed_request" text NOT NULL,
	"answer" json,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "managed_objects" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"kind" text NOT NULL,
	"parent_id" text NOT NULL,
	"name" text NOT NULL,
	"object_id" text NOT NULL,
	"digest" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "walks" (
	"id" text PRIMARY KEY NOT NULL,
	"cursor" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"has_left" boolean NOT NULL,
	"cleared_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"events" json NOT NULL,
	"url" text NOT NULL,
	"disabled" boolean NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"paused_until" timestamp (3) with time zone,
	"leased_until" timestamp (3) with time zone,
	"found_until" timestamp (3) with time zone,
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
CREATE TABLE "status_bulks" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"is_revoked" boolean NOT NULL,
	"credential_ids" json,
	"filter" json,
	"state" text NOT NULL,
	"total" integer NOT NULL,
	"done" integer NOT NULL,
	"failed" json NOT NULL,
	"progress" text,
	"changed_by" json,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "status_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"list_id" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "status_entries" (
	"tenant_id" text NOT NULL,
	"list_id" text NOT NULL,
	"position" integer NOT NULL,
	"credential_id" text,
	"status" text NOT NULL,
	CONSTRAINT "status_entries_list_id_position_pk" PRIMARY KEY("list_id","position")
);
--> statement-breakpoint
CREATE TABLE "status_list_configurations" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"doc_type" text NOT NULL,
	"ttl_days" integer NOT NULL,
	"expiry_days" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "status_lists" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"kind" text NOT NULL,
	"series" text DEFAULT '' NOT NULL,
	"ca_id" text,
	"configuration_id" text,
	"format" text,
	"number" integer NOT NULL,
	"size" integer NOT NULL,
	"taken" integer NOT NULL,
	"permutation_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "published_lists" (
	"list_id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"version" integer NOT NULL,
	"content" "bytea" NOT NULL,
	"jwt" "bytea",
	"signer_id" text,
	"key_id" text,
	"ttl_seconds" integer,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"renew_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"roles" json NOT NULL,
	"secret_hash" text NOT NULL,
	"former_secret_hash" text,
	"former_secret_until" timestamp (3) with time zone,
	"known_to" json,
	"token_generation" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "logos" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"type" text NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "logos_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
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
CREATE UNIQUE INDEX "certificates_serial_number" ON "certificates" USING btree ("tenant_id","ca_id","serial_number");--> statement-breakpoint
CREATE INDEX "certificates_page" ON "certificates" USING btree ("tenant_id","kind","created_at","id");--> statement-breakpoint
CREATE INDEX "certificates_serial" ON "certificates" USING btree ("tenant_id","serial_number");--> statement-breakpoint
CREATE INDEX "certificates_ca" ON "certificates" USING btree ("tenant_id","ca_id","kind");--> statement-breakpoint
CREATE INDEX "certificates_end" ON "certificates" USING btree ("kind","not_after");--> statement-breakpoint
CREATE INDEX "certificates_unmade" ON "certificates" USING btree ("created_at") WHERE "certificates"."certificate" is null and "certificates"."csr" is null;--> statement-breakpoint
CREATE INDEX "crls_tenant" ON "crls" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "crls_age" ON "crls" USING btree ("this_update");--> statement-breakpoint
CREATE INDEX "revoked_certificates_tenant" ON "revoked_certificates" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "revoked_certificates_published" ON "revoked_certificates" USING btree ("published_at","ca_id");--> statement-breakpoint
CREATE UNIQUE INDEX "trusted_issuers_certificate" ON "trusted_issuers" USING btree ("tenant_id","fingerprint");--> statement-breakpoint
CREATE INDEX "trusted_issuers_page" ON "trusted_issuers" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "console_links_tenant" ON "console_links" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "console_links_expiry" ON "console_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "console_program_codes_tenant" ON "console_program_codes" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "console_program_codes_expiry" ON "console_program_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "console_providers_tenant" ON "console_providers" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "console_sessions_page" ON "console_sessions" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "console_sessions_client" ON "console_sessions" USING btree ("tenant_id","client_id","created_at");--> statement-breakpoint
CREATE INDEX "console_sessions_user" ON "console_sessions" USING btree ("tenant_id","management_user_id","created_at") WHERE "console_sessions"."management_user_id" is not null;--> statement-breakpoint
CREATE INDEX "console_sessions_expiry" ON "console_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "console_sign_ins_tenant" ON "console_sign_ins" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "console_sign_ins_expiry" ON "console_sign_ins" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "contexts_url" ON "contexts" USING btree ("tenant_id","url");--> statement-breakpoint
CREATE INDEX "contexts_page" ON "contexts" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "presentation_templates_page" ON "presentation_templates" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "signed_credentials_issued" ON "signed_credentials" USING btree ("tenant_id","issued_at","id");--> statement-breakpoint
CREATE INDEX "signed_credentials_called_off" ON "signed_credentials" USING btree ("called_off_at");--> statement-breakpoint
CREATE INDEX "stored_credential_types_page" ON "stored_credential_types" USING btree ("tenant_id","type","created_at","credential_id");--> statement-breakpoint
CREATE INDEX "stored_credential_types_tag" ON "stored_credential_types" USING btree ("tenant_id","type","tag","created_at","credential_id");--> statement-breakpoint
CREATE INDEX "stored_credential_types_credential" ON "stored_credential_types" USING btree ("tenant_id","credential_id");--> statement-breakpoint
CREATE INDEX "stored_credentials_page" ON "stored_credentials" USING btree ("tenant_id","profile","created_at","id");--> statement-breakpoint
CREATE INDEX "stored_credentials_tag" ON "stored_credentials" USING btree ("tenant_id","tag","created_at","id");--> statement-breakpoint
CREATE INDEX "stored_credentials_user" ON "stored_credentials" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ecosystem_credential_types_type" ON "ecosystem_credential_types" USING btree ("ecosystem_id","profile","type");--> statement-breakpoint
CREATE INDEX "ecosystem_credential_types_page" ON "ecosystem_credential_types" USING btree ("tenant_id","ecosystem_id","created_at","id");--> statement-breakpoint
CREATE INDEX "ecosystems_page" ON "ecosystems" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "evidence_chunks_ecosystem" ON "evidence_chunks" USING btree ("tenant_id","ecosystem_id");--> statement-breakpoint
CREATE INDEX "participant_evidence_page" ON "participant_evidence" USING btree ("tenant_id","ecosystem_id","participant_id","state","created_at","id");--> statement-breakpoint
CREATE INDEX "participant_evidence_size" ON "participant_evidence" USING btree ("tenant_id","state","size_bytes");--> statement-breakpoint
CREATE INDEX "participant_evidence_expires" ON "participant_evidence" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "ecosystem_integrations_due" ON "ecosystem_integrations" USING btree ("next_sync_at") WHERE "ecosystem_integrations"."enabled";--> statement-breakpoint
CREATE UNIQUE INDEX "ecosystem_integrations_url" ON "ecosystem_integrations" USING btree ("tenant_id","ecosystem_id","format","url");--> statement-breakpoint
CREATE UNIQUE INDEX "integrated_certificates_certificate" ON "integrated_certificates" USING btree ("integration_id","fingerprint");--> statement-breakpoint
CREATE INDEX "integrated_certificates_fingerprint" ON "integrated_certificates" USING btree ("tenant_id","fingerprint");--> statement-breakpoint
CREATE INDEX "integrated_certificates_ecosystem" ON "integrated_certificates" USING btree ("tenant_id","ecosystem_id","integration_id");--> statement-breakpoint
CREATE UNIQUE INDEX "participant_certificates_certificate" ON "participant_certificates" USING btree ("participant_id","role","fingerprint");--> statement-breakpoint
CREATE INDEX "participant_certificates_fingerprint" ON "participant_certificates" USING btree ("tenant_id","fingerprint");--> statement-breakpoint
CREATE INDEX "participant_certificates_page" ON "participant_certificates" USING btree ("tenant_id","ecosystem_id","participant_id","role","created_at","id");--> statement-breakpoint
CREATE INDEX "participant_credential_types_type" ON "participant_credential_types" USING btree ("tenant_id","credential_type_id");--> statement-breakpoint
CREATE INDEX "participant_credential_types_ecosystem" ON "participant_credential_types" USING btree ("tenant_id","ecosystem_id");--> statement-breakpoint
CREATE INDEX "participant_identifiers_identifier" ON "participant_identifiers" USING btree ("tenant_id","profile","identifier");--> statement-breakpoint
CREATE INDEX "participant_identifiers_ecosystem" ON "participant_identifiers" USING btree ("tenant_id","ecosystem_id");--> statement-breakpoint
CREATE INDEX "participants_page" ON "participants" USING btree ("tenant_id","ecosystem_id","created_at","id");--> statement-breakpoint
CREATE INDEX "participants_name" ON "participants" USING btree ("tenant_id",lower("name") collate "C");--> statement-breakpoint
CREATE INDEX "ecosystem_policies_latest" ON "ecosystem_policies" USING btree ("tenant_id","ecosystem_id","kind","published_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "trusted_list_configurations_kind" ON "trusted_list_configurations" USING btree ("tenant_id","ecosystem_id","kind");--> statement-breakpoint
CREATE INDEX "trusted_list_configurations_due" ON "trusted_list_configurations" USING btree ("auto_publishes","frequency","last_automatic_at");--> statement-breakpoint
CREATE INDEX "trusted_list_configurations_retention" ON "trusted_list_configurations" USING btree ("id") WHERE "trusted_list_configurations"."keep_last" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "trusted_lists_number" ON "trusted_lists" USING btree ("tenant_id","ecosystem_id","kind","number");--> statement-breakpoint
CREATE INDEX "trusted_lists_unpublished" ON "trusted_lists" USING btree ("created_at") WHERE "trusted_lists"."number" is null;--> statement-breakpoint
CREATE INDEX "trusted_lists_page" ON "trusted_lists" USING btree ("tenant_id","ecosystem_id","kind","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "dids_did" ON "dids" USING btree ("tenant_id","did");--> statement-breakpoint
CREATE INDEX "dids_page" ON "dids" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "dids_unmade" ON "dids" USING btree ("created_at") WHERE "dids"."document" is null;--> statement-breakpoint
CREATE INDEX "keys_owner" ON "keys" USING btree ("tenant_id","owner_kind","owner_id","purpose","created_at");--> statement-breakpoint
CREATE INDEX "keys_wrapped_under" ON "keys" USING btree ("wrapped_under","id");--> statement-breakpoint
CREATE INDEX "authorizations_user" ON "authorizations" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "authorizations_expiry" ON "authorizations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "bulk_file_chunks_tenant" ON "bulk_file_chunks" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "bulk_issuances_page" ON "bulk_issuances" USING btree ("tenant_id","source","created_at","id");--> statement-breakpoint
CREATE INDEX "bulk_issuances_expires" ON "bulk_issuances" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_rows_external_id" ON "bulk_rows" USING btree ("bulk_id","external_id");--> statement-breakpoint
CREATE INDEX "bulk_rows_state" ON "bulk_rows" USING btree ("bulk_id","state","row");--> statement-breakpoint
CREATE INDEX "bulk_rows_user" ON "bulk_rows" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "claim_links_row" ON "claim_links" USING btree ("tenant_id","bulk_id","row_number");--> statement-breakpoint
CREATE INDEX "claim_links_state" ON "claim_links" USING btree ("tenant_id","bulk_id","state","row_number","expires_at");--> statement-breakpoint
CREATE INDEX "claim_links_user" ON "claim_links" USING btree ("tenant_id","user_id") WHERE "claim_links"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "claim_links_expiry" ON "claim_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "claim_sources_page" ON "claim_sources" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "configurations_page" ON "configurations" USING btree ("tenant_id","profile","created_at","id");--> statement-breakpoint
CREATE INDEX "configurations_type" ON "configurations" USING btree ("tenant_id","profile","type","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "configurations_unique_type" ON "configurations" USING btree ("tenant_id","unique_type");--> statement-breakpoint
CREATE UNIQUE INDEX "configurations_scope" ON "configurations" USING btree ("tenant_id","scope") WHERE "configurations"."scope" is not null;--> statement-breakpoint
CREATE INDEX "configurations_without_names" ON "configurations" USING btree ("id") WHERE "configurations"."names" is null;--> statement-breakpoint
CREATE INDEX "credentials_page" ON "credentials" USING btree ("tenant_id","user_id","issued_at","id");--> statement-breakpoint
CREATE INDEX "credentials_configuration" ON "credentials" USING btree ("tenant_id","configuration_id","issued_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "credentials_issuance" ON "credentials" USING btree ("issuance_id","position");--> statement-breakpoint
CREATE INDEX "holder_applications_page" ON "holder_applications" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "holder_instances_page" ON "holder_instances" USING btree ("tenant_id","application_id","created_at","id");--> statement-breakpoint
CREATE INDEX "issuances_user" ON "issuances" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "issuances_state" ON "issuances" USING btree ("state","requested_at");--> statement-breakpoint
CREATE INDEX "issuances_offer" ON "issuances" USING btree ("tenant_id","offer_id");--> statement-breakpoint
CREATE INDEX "offer_failures_list" ON "offer_failures" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "offer_failures_user" ON "offer_failures" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "offer_failures_recorded" ON "offer_failures" USING btree ("recorded_at","id");--> statement-breakpoint
CREATE INDEX "offer_failures_expiry" ON "offer_failures" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "offers_user" ON "offers" USING btree ("tenant_id","user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "offers_expiry" ON "offers" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "offers_label" ON "offers" USING btree ("tenant_id",lower("label") collate "C","created_at","id") WHERE "offers"."label" is not null;--> statement-breakpoint
CREATE INDEX "offers_list" ON "offers" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "pushed_requests_expiry" ON "pushed_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "refresh_tokens_grant" ON "refresh_tokens" USING btree ("tenant_id","grant_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_user" ON "refresh_tokens" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_expiry" ON "refresh_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sd_jwt_types_tenant" ON "sd_jwt_types" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "sessions_grant" ON "sessions" USING btree ("tenant_id","grant_id") WHERE "sessions"."grant_id" is not null;--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "shared_offers_tenant" ON "shared_offers" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "shared_offers_label" ON "shared_offers" USING btree ("tenant_id",lower("label") collate "C","created_at","id") WHERE "shared_offers"."label" is not null;--> statement-breakpoint
CREATE INDEX "shared_offers_list" ON "shared_offers" USING btree ("tenant_id","created_at","id") WHERE "shared_offers"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "authentication_providers_tenant" ON "authentication_providers" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "spent_proofs_expiry" ON "spent_proofs" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "users_page" ON "users" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_subject" ON "users" USING btree ("tenant_id","provider_id","subject_id") WHERE "users"."provider_id" is not null;--> statement-breakpoint
CREATE INDEX "users_label" ON "users" USING btree ("tenant_id",lower("label") collate "C","created_at","id") WHERE "users"."label" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_providers_certificate" ON "wallet_providers" USING btree ("tenant_id","fingerprint");--> statement-breakpoint
CREATE INDEX "wallet_providers_page" ON "wallet_providers" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_clients_client_id" ON "oauth_clients" USING btree ("tenant_id","client_id");--> statement-breakpoint
CREATE INDEX "oauth_clients_page" ON "oauth_clients" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_dids_recipient" ON "inbox_dids" USING btree ("did","tenant_id");--> statement-breakpoint
CREATE INDEX "inbox_dids_page" ON "inbox_dids" USING btree ("tenant_id","inbox_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_messages_bytes" ON "inbox_messages" USING btree ("inbox_id","sha256");--> statement-breakpoint
CREATE INDEX "inbox_messages_page" ON "inbox_messages" USING btree ("tenant_id","inbox_id","created_at","id","size_bytes");--> statement-breakpoint
CREATE INDEX "inbox_messages_age" ON "inbox_messages" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "inboxes_page" ON "inboxes" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "outgoing_lines_recipient" ON "outgoing_lines" USING btree ("tenant_id","recipient");--> statement-breakpoint
CREATE INDEX "outgoing_lines_waiting" ON "outgoing_lines" USING btree ("tenant_id","next_attempt_at") WHERE "outgoing_lines"."next_attempt_at" is not null and "outgoing_lines"."queued_until" is null;--> statement-breakpoint
CREATE INDEX "outgoing_lines_queued" ON "outgoing_lines" USING btree ("queued_until") WHERE "outgoing_lines"."queued_until" is not null;--> statement-breakpoint
CREATE INDEX "outgoing_lines_idle" ON "outgoing_lines" USING btree ("idle_since");--> statement-breakpoint
CREATE INDEX "outgoing_messages_line" ON "outgoing_messages" USING btree ("line_id","state","created_at");--> statement-breakpoint
CREATE INDEX "outgoing_messages_tenant" ON "outgoing_messages" USING btree ("tenant_id","state");--> statement-breakpoint
CREATE INDEX "outgoing_messages_age" ON "outgoing_messages" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "approvals_page" ON "approvals" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "approvals_due" ON "approvals" USING btree ("state","expires_at");--> statement-breakpoint
CREATE INDEX "approvals_expiry" ON "approvals" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "audit_events_page" ON "audit_events" USING btree ("tenant_id","timestamp","id");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_events_id" ON "audit_events" USING btree ("tenant_id","id");--> statement-breakpoint
CREATE INDEX "audit_events_request" ON "audit_events" USING btree ("tenant_id","request_id","timestamp","id");--> statement-breakpoint
CREATE INDEX "audit_events_type" ON "audit_events" USING btree ("tenant_id","type","timestamp","id");--> statement-breakpoint
CREATE INDEX "audit_events_client" ON "audit_events" USING btree ("tenant_id","client_id","timestamp","id");--> statement-breakpoint
CREATE INDEX "audit_events_management_user" ON "audit_events" USING btree ("tenant_id","management_user_id","timestamp","id") WHERE "audit_events"."management_user_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_heads_checkpointed" ON "audit_heads" USING btree ("checkpointed_at");--> statement-breakpoint
CREATE INDEX "deliveries_page" ON "deliveries" USING btree ("tenant_id","webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_waiting" ON "deliveries" USING btree ("webhook_id","next_attempt_at") WHERE "deliveries"."next_attempt_at" is not null and "deliveries"."queued_until" is null;--> statement-breakpoint
CREATE INDEX "deliveries_queued" ON "deliveries" USING btree ("queued_until") WHERE "deliveries"."queued_until" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_undelivered" ON "deliveries" USING btree ("tenant_id","state","webhook_id","created_at","id") WHERE "deliveries"."state" <> 'delivered';--> statement-breakpoint
CREATE INDEX "erasures_page" ON "erasures" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "events_page" ON "events" USING btree ("tenant_id","timestamp","id");--> statement-breakpoint
CREATE INDEX "events_request" ON "events" USING btree ("tenant_id","request_id","timestamp");--> statement-breakpoint
CREATE INDEX "events_type" ON "events" USING btree ("tenant_id","type","timestamp");--> statement-breakpoint
CREATE INDEX "events_category" ON "events" USING btree ("tenant_id","category","timestamp");--> statement-breakpoint
CREATE INDEX "events_client" ON "events" USING btree ("tenant_id","client_id","timestamp") WHERE "events"."client_id" is not null;--> statement-breakpoint
CREATE INDEX "events_management_user" ON "events" USING btree ("tenant_id","management_user_id","timestamp") WHERE "events"."management_user_id" is not null;--> statement-breakpoint
CREATE INDEX "events_object" ON "events" USING btree ("tenant_id","object_id","timestamp") WHERE "events"."object_id" is not null;--> statement-breakpoint
CREATE INDEX "events_offer" ON "events" USING btree ("tenant_id","offer_id","timestamp") WHERE "events"."offer_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "idempotency_keys_key" ON "idempotency_keys" USING btree ("tenant_id","caller_id","key_hash");--> statement-breakpoint
CREATE INDEX "idempotency_keys_user" ON "idempotency_keys" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_expiry" ON "idempotency_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "issuance_outcomes_age" ON "issuance_outcomes" USING btree ("day");--> statement-breakpoint
CREATE INDEX "issued_days_age" ON "issued_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "listener_requests_page" ON "listener_requests" USING btree ("tenant_id","webhook_id","id");--> statement-breakpoint
CREATE INDEX "listener_requests_age" ON "listener_requests" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "managed_objects_name" ON "managed_objects" USING btree ("tenant_id","kind","parent_id","name");--> statement-breakpoint
CREATE INDEX "managed_objects_object" ON "managed_objects" USING btree ("tenant_id","object_id");--> statement-breakpoint
CREATE INDEX "managed_objects_created" ON "managed_objects" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhooks_page" ON "webhooks" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhooks_found" ON "webhooks" USING btree ("found_until") WHERE "webhooks"."found_until" is not null;--> statement-breakpoint
CREATE INDEX "webhooks_leased" ON "webhooks" USING btree ("leased_until") WHERE "webhooks"."leased_until" is not null;--> statement-breakpoint
CREATE INDEX "outbox_order" ON "outbox" USING btree ("taken_until","created_at");--> statement-breakpoint
CREATE INDEX "status_bulks_tenant" ON "status_bulks" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "status_bulks_age" ON "status_bulks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "status_changes_list" ON "status_changes" USING btree ("tenant_id","list_id","changed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "status_entries_credential" ON "status_entries" USING btree ("tenant_id","credential_id");--> statement-breakpoint
CREATE INDEX "status_entries_set" ON "status_entries" USING btree ("list_id","position") WHERE "status_entries"."status" <> 'valid';--> statement-breakpoint
CREATE UNIQUE INDEX "status_list_configurations_type" ON "status_list_configurations" USING btree ("tenant_id","doc_type");--> statement-breakpoint
CREATE INDEX "status_list_configurations_page" ON "status_list_configurations" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "status_lists_number" ON "status_lists" USING btree ("tenant_id","kind","series","number");--> statement-breakpoint
CREATE INDEX "published_lists_tenant" ON "published_lists" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "published_lists_signer" ON "published_lists" USING btree ("tenant_id","signer_id");--> statement-breakpoint
CREATE INDEX "published_lists_renewal" ON "published_lists" USING btree ("renew_at");--> statement-breakpoint
CREATE INDEX "clients_page" ON "clients" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "logos_newest" ON "logos" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "tenant_hosts_tenant" ON "tenant_hosts" USING btree ("tenant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tenants_subdomain" ON "tenants" USING btree ("subdomain");--> statement-breakpoint
-- Signatures, certificates and what is compressed already do not get smaller; PostgreSQL tries each time that they are written.
ALTER TABLE "trusted_lists" ALTER COLUMN "content" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "published_lists" ALTER COLUMN "content" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "published_lists" ALTER COLUMN "jwt" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "evidence_chunks" ALTER COLUMN "content" SET STORAGE EXTERNAL;--> statement-breakpoint
-- The statistics of a column hold values of it, also those of rows that were deleted since. These values can identify a person.
ALTER TABLE "users" ALTER COLUMN "subject_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "offers" ALTER COLUMN "label" SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "offers_label" ALTER COLUMN 2 SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "shared_offers" ALTER COLUMN "label" SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "shared_offers_label" ALTER COLUMN 2 SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "label" SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "users_label" ALTER COLUMN 2 SET STATISTICS 0;
