DROP INDEX "keys_purpose";--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "owner_kind" text DEFAULT 'tenant' NOT NULL;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "owner_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "keys_owner" ON "keys" USING btree ("tenant_id","owner_kind","owner_id","purpose","created_at");