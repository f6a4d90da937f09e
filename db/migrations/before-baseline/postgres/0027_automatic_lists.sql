ALTER TABLE "trusted_list_configurations" ADD COLUMN "last_automatic_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "trusted_list_configurations" ADD COLUMN "failing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "trusted_list_configurations" ADD COLUMN "retry_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "trusted_list_configurations_due" ON "trusted_list_configurations" USING btree ("auto_publishes","frequency","last_automatic_at");--> statement-breakpoint
CREATE INDEX "trusted_lists_unpublished" ON "trusted_lists" USING btree ("created_at") WHERE "trusted_lists"."number" is null;