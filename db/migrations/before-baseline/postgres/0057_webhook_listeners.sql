CREATE TABLE "listener_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"webhook_id" text NOT NULL,
	"sealed_request" text NOT NULL,
	"answer" json,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "leased_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "listener_requests_page" ON "listener_requests" USING btree ("tenant_id","webhook_id","id");--> statement-breakpoint
CREATE INDEX "listener_requests_age" ON "listener_requests" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhooks_leased" ON "webhooks" USING btree ("leased_until") WHERE "webhooks"."leased_until" is not null;