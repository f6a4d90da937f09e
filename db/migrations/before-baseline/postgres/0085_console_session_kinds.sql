ALTER TABLE "console_sessions" ADD COLUMN "kind" text DEFAULT 'browser' NOT NULL;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "token_generation" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "console_sessions_page" ON "console_sessions" USING btree ("tenant_id","created_at","id");