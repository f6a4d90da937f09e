ALTER TABLE "trusted_list_configurations" ADD COLUMN "keep_last" integer;--> statement-breakpoint
ALTER TABLE "trusted_list_configurations" ADD COLUMN "keep_monthly" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "trusted_list_configurations_retention" ON "trusted_list_configurations" USING btree ("id") WHERE "trusted_list_configurations"."keep_last" is not null;