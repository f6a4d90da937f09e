CREATE TABLE "dids" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"method" text NOT NULL,
	"key_type" text,
	"did" text,
	"document" json,
	"documented_keys" json,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "dids_did" ON "dids" USING btree ("tenant_id","did");--> statement-breakpoint
CREATE INDEX "dids_page" ON "dids" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "dids_unmade" ON "dids" USING btree ("created_at") WHERE "dids"."document" is null;