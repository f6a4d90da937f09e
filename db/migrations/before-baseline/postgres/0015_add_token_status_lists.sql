CREATE TABLE "status_list_configurations" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"doc_type" text NOT NULL,
	"ttl_days" integer NOT NULL,
	"expiry_days" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "published_lists_expiry";--> statement-breakpoint
DROP INDEX "status_lists_number";--> statement-breakpoint
ALTER TABLE "status_lists" ADD COLUMN "series" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "status_lists" ADD COLUMN "ca_id" text;--> statement-breakpoint
ALTER TABLE "status_lists" ADD COLUMN "configuration_id" text;--> statement-breakpoint
ALTER TABLE "status_lists" ADD COLUMN "format" text;--> statement-breakpoint
ALTER TABLE "published_lists" ADD COLUMN "jwt" "bytea";--> statement-breakpoint
ALTER TABLE "published_lists" ADD COLUMN "signer_id" text;--> statement-breakpoint
ALTER TABLE "published_lists" ADD COLUMN "ttl_seconds" integer;--> statement-breakpoint
ALTER TABLE "published_lists" ADD COLUMN "renew_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "published_lists" SET "renew_at" = "expires_at" - interval '1 day' WHERE "expires_at" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "status_list_configurations_type" ON "status_list_configurations" USING btree ("tenant_id","doc_type");--> statement-breakpoint
CREATE INDEX "status_list_configurations_page" ON "status_list_configurations" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "published_lists_signer" ON "published_lists" USING btree ("tenant_id","signer_id");--> statement-breakpoint
CREATE INDEX "published_lists_renewal" ON "published_lists" USING btree ("renew_at");--> statement-breakpoint
CREATE UNIQUE INDEX "status_lists_number" ON "status_lists" USING btree ("tenant_id","kind","series","number");