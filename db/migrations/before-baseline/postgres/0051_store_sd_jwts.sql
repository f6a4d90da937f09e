DROP INDEX "stored_credentials_page";--> statement-breakpoint
ALTER TABLE "stored_credentials" ADD COLUMN "profile" text DEFAULT 'web-semantic' NOT NULL;--> statement-breakpoint
CREATE INDEX "stored_credentials_page" ON "stored_credentials" USING btree ("tenant_id","profile","created_at","id");