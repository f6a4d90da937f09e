ALTER TABLE "offer_failures" ADD COLUMN "recorded_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "offer_failures_recorded" ON "offer_failures" USING btree ("recorded_at","id");