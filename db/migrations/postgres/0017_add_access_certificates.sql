CREATE TABLE "access_certificates" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"subject" json NOT NULL,
	"csr" text NOT NULL,
	"chain" json,
	"certified" json,
	"fingerprint" text,
	"not_before" timestamp (3) with time zone,
	"not_after" timestamp (3) with time zone,
	"is_active" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registration_certificates" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"jwt" text NOT NULL,
	"registrar_dataset" json,
	"subject" text NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "access_certificates_page" ON "access_certificates" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "access_certificates_active" ON "access_certificates" USING btree ("tenant_id") WHERE "access_certificates"."is_active";--> statement-breakpoint
CREATE INDEX "access_certificates_end" ON "access_certificates" USING btree ("not_after");