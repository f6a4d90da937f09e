CREATE TABLE "approvals" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"kind" text NOT NULL,
	"operation" text NOT NULL,
	"state" text NOT NULL,
	"objects" integer NOT NULL,
	"details" json NOT NULL,
	"digest" text NOT NULL,
	"sealed_request" text,
	"sealed_answer" text,
	"asked_by_client_id" text,
	"asked_by_management_user_id" text,
	"decided_by_client_id" text,
	"decided_by_management_user_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "known_to" json;--> statement-breakpoint
CREATE INDEX "approvals_page" ON "approvals" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "approvals_due" ON "approvals" USING btree ("state","expires_at");--> statement-breakpoint
CREATE INDEX "approvals_expiry" ON "approvals" USING btree ("expires_at");