CREATE TABLE "sd_jwt_types" (
	"configuration_id" text NOT NULL,
	"version" integer NOT NULL,
	"tenant_id" text NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sd_jwt_types_configuration_id_version_pk" PRIMARY KEY("configuration_id","version")
);
--> statement-breakpoint
CREATE INDEX "sd_jwt_types_tenant" ON "sd_jwt_types" USING btree ("tenant_id");