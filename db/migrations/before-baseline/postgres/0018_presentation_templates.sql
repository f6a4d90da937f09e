CREATE TABLE "presentation_templates" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"domain" text NOT NULL,
	"query" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "presentation_templates_page" ON "presentation_templates" USING btree ("tenant_id","created_at","id");