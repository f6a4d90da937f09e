ALTER TABLE "credentials" ADD COLUMN "namespaces" json;--> statement-breakpoint
ALTER TABLE "credentials" ADD COLUMN "mso_hash" text;--> statement-breakpoint
ALTER TABLE "issuances" ADD COLUMN "validity" json;