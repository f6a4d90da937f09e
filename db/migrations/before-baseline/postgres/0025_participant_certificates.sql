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
CREATE UNIQUE INDEX "participant_certificates_certificate" ON "participant_certificates" USING btree ("participant_id","role","fingerprint");--> statement-breakpoint
CREATE INDEX "participant_certificates_fingerprint" ON "participant_certificates" USING btree ("tenant_id","fingerprint");--> statement-breakpoint
CREATE INDEX "participant_certificates_page" ON "participant_certificates" USING btree ("tenant_id","ecosystem_id","participant_id","role","created_at","id");