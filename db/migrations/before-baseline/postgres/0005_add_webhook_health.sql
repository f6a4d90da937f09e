DROP INDEX "deliveries_due";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "queued_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "failing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "paused_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "deliveries_waiting" ON "deliveries" USING btree ("webhook_id","next_attempt_at") WHERE "deliveries"."next_attempt_at" is not null and "deliveries"."queued_until" is null;--> statement-breakpoint
CREATE INDEX "deliveries_queued" ON "deliveries" USING btree ("queued_until") WHERE "deliveries"."queued_until" is not null;