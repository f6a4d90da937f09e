ALTER TABLE "deliveries" ADD COLUMN "generation" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "generation" integer DEFAULT 0 NOT NULL;