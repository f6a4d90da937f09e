ALTER TABLE "credentials" ADD COLUMN "view_id" text;--> statement-breakpoint
ALTER TABLE "issuances" ADD COLUMN "view_id" text;