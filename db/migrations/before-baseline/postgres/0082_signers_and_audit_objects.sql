CREATE TABLE "audit_objects" (
	"tenant_id" text NOT NULL,
	"object_id" text NOT NULL,
	"audit_id" text NOT NULL,
	"changed_by_name" text,
	CONSTRAINT "audit_objects_tenant_id_object_id_audit_id_pk" PRIMARY KEY("tenant_id","object_id","audit_id")
);
--> statement-breakpoint
ALTER TABLE "signed_credentials" ADD COLUMN "signer_id" text;--> statement-breakpoint
ALTER TABLE "credentials" ADD COLUMN "signer_id" text;--> statement-breakpoint
ALTER TABLE "status_bulks" ADD COLUMN "changed_by" json;