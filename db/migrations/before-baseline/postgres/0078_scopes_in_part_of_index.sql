DROP INDEX "configurations_scope";--> statement-breakpoint
CREATE UNIQUE INDEX "configurations_scope" ON "configurations" USING btree ("tenant_id","scope") WHERE "configurations"."scope" is not null;