ALTER TABLE "clients" ADD COLUMN "former_secret_hash" text;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "former_secret_until" timestamp (3) with time zone;