DROP INDEX "offers_user";--> statement-breakpoint
CREATE INDEX "offers_user" ON "offers" USING btree ("tenant_id","user_id","created_at","id");