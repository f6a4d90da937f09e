ALTER TABLE "bulk_issuances" ADD COLUMN "link_seconds" integer;--> statement-breakpoint
ALTER TABLE "bulk_issuances" ADD COLUMN "transaction_code" json;--> statement-breakpoint
ALTER TABLE "bulk_issuances" ADD COLUMN "codes_shown_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bulk_issuances" ADD COLUMN "renewed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bulk_issuances" ADD COLUMN "links_until" timestamp (3) with time zone;