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
CREATE INDEX "holder_applications_page" ON "holder_applications" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "holder_instances_page" ON "holder_instances" USING btree ("tenant_id","application_id","created_at","id");