-- The statistics of columns hold values of them, also those of rows that were deleted since. A label can identify a person.
ALTER TABLE "offers" ADD COLUMN "label" text;--> statement-breakpoint
ALTER TABLE "shared_offers" ADD COLUMN "label" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "label" text;--> statement-breakpoint
CREATE INDEX "offers_label" ON "offers" USING btree ("tenant_id",lower("label") collate "C","created_at","id") WHERE "offers"."label" is not null;--> statement-breakpoint
CREATE INDEX "shared_offers_label" ON "shared_offers" USING btree ("tenant_id",lower("label") collate "C","created_at","id") WHERE "shared_offers"."label" is not null;--> statement-breakpoint
CREATE INDEX "users_label" ON "users" USING btree ("tenant_id",lower("label") collate "C","created_at","id") WHERE "users"."label" is not null;--> statement-breakpoint
ALTER TABLE "offers" ALTER COLUMN "label" SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "offers_label" ALTER COLUMN 2 SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "shared_offers" ALTER COLUMN "label" SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "shared_offers_label" ALTER COLUMN 2 SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "label" SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "users_label" ALTER COLUMN 2 SET STATISTICS 0;
