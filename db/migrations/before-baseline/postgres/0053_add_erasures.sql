CREATE TABLE "erasures" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"subject" text NOT NULL,
	"content" json NOT NULL,
	"request_id" text NOT NULL,
	"audit_number" integer,
	"receipt" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "erasures_page" ON "erasures" USING btree ("tenant_id","created_at","id");