CREATE TABLE "contexts" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"url" text NOT NULL,
	"document" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "contexts_url" ON "contexts" USING btree ("tenant_id","url");--> statement-breakpoint
CREATE INDEX "contexts_page" ON "contexts" USING btree ("tenant_id","created_at","id");