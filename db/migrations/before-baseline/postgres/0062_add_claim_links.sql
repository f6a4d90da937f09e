CREATE TABLE "claim_links" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"bulk_id" text NOT NULL,
	"row_number" integer NOT NULL,
	"external_id" text,
	"user_id" text,
	"configuration_ids" json NOT NULL,
	"state" text NOT NULL,
	"generation" integer NOT NULL,
	"secret_hash" text NOT NULL,
	"sealed_content" text,
	"transaction_code" json,
	"wrong_codes" integer NOT NULL,
	"offer_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"opened_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "claim_link_id" text;--> statement-breakpoint
CREATE UNIQUE INDEX "claim_links_row" ON "claim_links" USING btree ("tenant_id","bulk_id","row_number");--> statement-breakpoint
CREATE INDEX "claim_links_state" ON "claim_links" USING btree ("tenant_id","bulk_id","state","row_number","expires_at");--> statement-breakpoint
CREATE INDEX "claim_links_user" ON "claim_links" USING btree ("tenant_id","user_id") WHERE "claim_links"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "claim_links_expiry" ON "claim_links" USING btree ("expires_at");