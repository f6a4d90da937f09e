ALTER TABLE "gone_views" ADD COLUMN "host" text;--> statement-breakpoint
ALTER TABLE "views" ADD COLUMN "host" text;--> statement-breakpoint
CREATE INDEX "gone_views_host" ON "gone_views" USING btree ("tenant_id","host");--> statement-breakpoint
CREATE UNIQUE INDEX "views_host" ON "views" USING btree ("host");