ALTER TABLE "offers" ADD COLUMN "is_by_reference" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "shared_offers" ADD COLUMN "is_by_reference" boolean DEFAULT false NOT NULL;