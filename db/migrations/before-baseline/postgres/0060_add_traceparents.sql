ALTER TABLE "authorizations" ADD COLUMN "traceparent" text;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "traceparent" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "traceparent" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "traceparent" text;