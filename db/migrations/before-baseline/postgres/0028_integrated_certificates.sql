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
ALTER TABLE "ecosystem_integrations" ADD COLUMN "last_good" json;--> statement-breakpoint
ALTER TABLE "ecosystem_integrations" ADD COLUMN "next_sync_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "ecosystem_integrations" ADD COLUMN "queued_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "ecosystem_integrations" ADD COLUMN "attempted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "ecosystem_integrations" ADD COLUMN "succeeded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "ecosystem_integrations" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "integrated_certificates_certificate" ON "integrated_certificates" USING btree ("integration_id","fingerprint");--> statement-breakpoint
CREATE INDEX "integrated_certificates_fingerprint" ON "integrated_certificates" USING btree ("tenant_id","fingerprint");--> statement-breakpoint
CREATE INDEX "integrated_certificates_ecosystem" ON "integrated_certificates" USING btree ("tenant_id","ecosystem_id","integration_id");--> statement-breakpoint
CREATE INDEX "ecosystem_integrations_due" ON "ecosystem_integrations" USING btree ("next_sync_at") WHERE "ecosystem_integrations"."enabled";