CREATE TABLE "console_providers" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"issuer" text NOT NULL,
	"client_id" text NOT NULL,
	"sealed_client_secret" text NOT NULL,
	"token_endpoint_auth_method" text NOT NULL,
	"scope" json NOT NULL,
	"claim" text NOT NULL,
	"user_claim" text NOT NULL,
	"roles" json NOT NULL,
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
ALTER TABLE "console_sessions" ALTER COLUMN "client_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console_sessions" ALTER COLUMN "client_secret_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console_sessions" ADD COLUMN "provider_hash" text;--> statement-breakpoint
ALTER TABLE "console_sessions" ADD COLUMN "management_user_id" text;--> statement-breakpoint
ALTER TABLE "console_sessions" ADD COLUMN "management_user_name" text;--> statement-breakpoint
ALTER TABLE "console_sessions" ADD COLUMN "roles" json;--> statement-breakpoint
ALTER TABLE "participant_evidence" ADD COLUMN "uploader" text DEFAULT 'client' NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "management_user_id" text;--> statement-breakpoint
CREATE UNIQUE INDEX "console_providers_tenant" ON "console_providers" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "console_sign_ins_tenant" ON "console_sign_ins" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "console_sign_ins_expiry" ON "console_sign_ins" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "console_sessions_user" ON "console_sessions" USING btree ("tenant_id","management_user_id","created_at") WHERE "console_sessions"."management_user_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_events_management_user" ON "audit_events" USING btree ("tenant_id","management_user_id","timestamp","id") WHERE "audit_events"."management_user_id" is not null;