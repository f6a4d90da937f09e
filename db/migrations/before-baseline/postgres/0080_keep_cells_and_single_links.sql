ALTER TABLE "bulk_issuances" ADD COLUMN "source" text DEFAULT 'file' NOT NULL;--> statement-breakpoint
ALTER TABLE "bulk_rows" ADD COLUMN "sealed_kept" text;--> statement-breakpoint
ALTER TABLE "claim_links" ADD COLUMN "label" text;