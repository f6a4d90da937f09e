ALTER TABLE "configurations" ADD COLUMN "names" json;--> statement-breakpoint
CREATE INDEX "configurations_without_names" ON "configurations" USING btree ("id") WHERE "configurations"."names" is null;