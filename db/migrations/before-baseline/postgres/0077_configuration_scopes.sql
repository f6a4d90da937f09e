ALTER TABLE "configurations" ADD COLUMN "scope" text;--> statement-breakpoint
CREATE UNIQUE INDEX "configurations_scope" ON "configurations" USING btree ("tenant_id","scope");