CREATE TABLE "offer_failures" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"failed_state" text NOT NULL,
	"request_id" text NOT NULL,
	"refused_by" text NOT NULL,
	"reason" text NOT NULL,
	"failed_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "offer_failures_list" ON "offer_failures" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "offer_failures_user" ON "offer_failures" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "offer_failures_expiry" ON "offer_failures" USING btree ("expires_at");