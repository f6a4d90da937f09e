CREATE TABLE "shared_offer_configurations" (
	"tenant_id" text NOT NULL,
	"configuration_id" text NOT NULL,
	"offer_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "shared_offer_configurations_key" PRIMARY KEY("tenant_id","configuration_id","created_at","offer_id")
);
--> statement-breakpoint
DROP INDEX "shared_offers_page";--> statement-breakpoint
ALTER TABLE "shared_offers" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "offers_list" ON "offers" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "shared_offers_tenant" ON "shared_offers" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "shared_offers_list" ON "shared_offers" USING btree ("tenant_id","created_at","id") WHERE "shared_offers"."deleted_at" is null;--> statement-breakpoint
INSERT INTO "shared_offer_configurations" SELECT DISTINCT "offer"."tenant_id", "named"."value", "offer"."id", "offer"."created_at" FROM "shared_offers" AS "offer", json_array_elements_text("offer"."configuration_ids") AS "named"("value");
