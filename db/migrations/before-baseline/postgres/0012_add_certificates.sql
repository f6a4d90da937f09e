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
CREATE UNIQUE INDEX "certificates_serial_number" ON "certificates" USING btree ("tenant_id","ca_id","serial_number");--> statement-breakpoint
CREATE INDEX "certificates_page" ON "certificates" USING btree ("tenant_id","kind","created_at","id");--> statement-breakpoint
CREATE INDEX "certificates_ca" ON "certificates" USING btree ("tenant_id","ca_id","kind");--> statement-breakpoint
CREATE INDEX "certificates_end" ON "certificates" USING btree ("kind","not_after");--> statement-breakpoint
CREATE INDEX "certificates_unmade" ON "certificates" USING btree ("created_at") WHERE "certificates"."certificate" is null and "certificates"."csr" is null;--> statement-breakpoint
CREATE INDEX "crls_tenant" ON "crls" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "crls_age" ON "crls" USING btree ("this_update");--> statement-breakpoint
CREATE INDEX "revoked_certificates_tenant" ON "revoked_certificates" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "revoked_certificates_published" ON "revoked_certificates" USING btree ("published_at","ca_id");