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
	"last_failure_at" timestamp (3) with time zone,
	"last_failure_reason" text,
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
CREATE UNIQUE INDEX "trusted_list_configurations_kind" ON "trusted_list_configurations" USING btree ("tenant_id","ecosystem_id","kind");--> statement-breakpoint
CREATE UNIQUE INDEX "trusted_lists_number" ON "trusted_lists" USING btree ("tenant_id","ecosystem_id","kind","number");--> statement-breakpoint
CREATE INDEX "trusted_lists_page" ON "trusted_lists" USING btree ("tenant_id","ecosystem_id","kind","created_at","id");