CREATE TABLE "wallet_providers" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"certificate_pem" text NOT NULL,
	"fingerprint" text NOT NULL,
	"not_before" timestamp (3) with time zone NOT NULL,
	"not_after" timestamp (3) with time zone NOT NULL,
	"country" text,
	"common_name" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "authorizations" ADD COLUMN "pushed_request_id" text;--> statement-breakpoint
ALTER TABLE "pushed_requests" ADD COLUMN "authorization_id" text;--> statement-breakpoint
ALTER TABLE "pushed_requests" ADD COLUMN "open_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_providers_certificate" ON "wallet_providers" USING btree ("tenant_id","fingerprint");--> statement-breakpoint
CREATE INDEX "wallet_providers_page" ON "wallet_providers" USING btree ("tenant_id","created_at","id");