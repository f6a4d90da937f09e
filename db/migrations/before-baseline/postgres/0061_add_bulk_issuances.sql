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
	"configuration_ids" json NOT NULL,
	"format" text NOT NULL,
	"columns" json NOT NULL,
	"on_duplicate" text NOT NULL,
	"validate_only" boolean NOT NULL,
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
	CONSTRAINT "bulk_rows_bulk_id_row_pk" PRIMARY KEY("bulk_id","row")
);
--> statement-breakpoint
CREATE INDEX "bulk_file_chunks_tenant" ON "bulk_file_chunks" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "bulk_issuances_page" ON "bulk_issuances" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "bulk_issuances_expires" ON "bulk_issuances" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_rows_external_id" ON "bulk_rows" USING btree ("bulk_id","external_id");--> statement-breakpoint
CREATE INDEX "bulk_rows_state" ON "bulk_rows" USING btree ("bulk_id","state","row");--> statement-breakpoint
CREATE INDEX "bulk_rows_user" ON "bulk_rows" USING btree ("tenant_id","user_id");