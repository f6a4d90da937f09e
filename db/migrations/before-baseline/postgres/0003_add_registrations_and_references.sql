ALTER TABLE "authorizations" ADD COLUMN "registration_id" text;--> statement-breakpoint
ALTER TABLE "pushed_requests" ADD COLUMN "registration_id" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "wallet_client_id" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "registration_id" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "instance_jkt" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "exchanged_hash" text;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "reference_hash" text;--> statement-breakpoint
ALTER TABLE "shared_offers" ADD COLUMN "reference_hash" text;--> statement-breakpoint
UPDATE "authorizations" SET "registration_id" = (SELECT "id" FROM "oauth_clients" WHERE "oauth_clients"."tenant_id" = "authorizations"."tenant_id" AND "oauth_clients"."client_id" = "authorizations"."client_id");--> statement-breakpoint
UPDATE "pushed_requests" SET "registration_id" = (SELECT "id" FROM "oauth_clients" WHERE "oauth_clients"."tenant_id" = "pushed_requests"."tenant_id" AND "oauth_clients"."client_id" = "pushed_requests"."client_id");--> statement-breakpoint
UPDATE "sessions" SET "registration_id" = (SELECT "id" FROM "oauth_clients" WHERE "oauth_clients"."tenant_id" = "sessions"."tenant_id" AND "oauth_clients"."client_id" = "sessions"."client_id");--> statement-breakpoint
UPDATE "events" SET "wallet_client_id" = "client_id", "client_id" = NULL WHERE "client_id" IS NOT NULL AND ("category" = 'OPENID_VCI' OR "type" LIKE 'CLAIM_SOURCE_CALL%');
