CREATE TABLE "issued_days" (
	"tenant_id" text NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"issued" integer NOT NULL,
	CONSTRAINT "issued_days_key" PRIMARY KEY("tenant_id","day")
);
--> statement-breakpoint
CREATE INDEX "issued_days_age" ON "issued_days" USING btree ("day");--> statement-breakpoint
INSERT INTO "issued_days" SELECT "tenant_id", date_trunc('day', "ended_at" AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', count(*) FROM "issuances" WHERE "state" IN ('issued', 'wiped') AND "ended_at" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "outbox" WHERE "outbox"."id" = "issuances"."id") GROUP BY 1, 2;
