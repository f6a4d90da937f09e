DROP INDEX "bulk_issuances_page";--> statement-breakpoint
CREATE INDEX "bulk_issuances_page" ON "bulk_issuances" USING btree ("tenant_id","source","created_at","id");