ALTER TABLE "authorizations" ADD COLUMN "claim_link_id" text;--> statement-breakpoint
ALTER TABLE "bulk_issuances" ADD COLUMN "sign_in" json;--> statement-breakpoint
ALTER TABLE "claim_links" ADD COLUMN "sign_in" json;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "needs_sign_in" boolean DEFAULT false NOT NULL;