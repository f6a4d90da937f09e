CREATE TABLE "gone_views" (
	"tenant_id" text NOT NULL,
	"path" text NOT NULL,
	"gone_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "gone_views_key" PRIMARY KEY("tenant_id","path")
);
--> statement-breakpoint
CREATE TABLE "views" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"path" text NOT NULL,
	"profile" text NOT NULL,
	"configurations" json NOT NULL,
	"display_name" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "authorizations" ADD COLUMN "view_id" text;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "view_id" text;--> statement-breakpoint
ALTER TABLE "pushed_requests" ADD COLUMN "view_id" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "view_id" text;--> statement-breakpoint
ALTER TABLE "shared_offers" ADD COLUMN "view_id" text;--> statement-breakpoint
CREATE INDEX "gone_views_age" ON "gone_views" USING btree ("gone_at");--> statement-breakpoint
CREATE UNIQUE INDEX "views_path" ON "views" USING btree ("tenant_id","path");--> statement-breakpoint
CREATE INDEX "views_page" ON "views" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "authorizations_view" ON "authorizations" USING btree ("tenant_id","view_id") WHERE "authorizations"."view_id" is not null;--> statement-breakpoint
CREATE INDEX "offers_view" ON "offers" USING btree ("tenant_id","view_id") WHERE "offers"."view_id" is not null;--> statement-breakpoint
CREATE INDEX "sessions_view" ON "sessions" USING btree ("tenant_id","view_id") WHERE "sessions"."view_id" is not null;--> statement-breakpoint
CREATE INDEX "shared_offers_view" ON "shared_offers" USING btree ("tenant_id","view_id") WHERE "shared_offers"."view_id" is not null;