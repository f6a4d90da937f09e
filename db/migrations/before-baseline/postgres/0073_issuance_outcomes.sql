CREATE TABLE "issuance_outcomes" (
	"tenant_id" text NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"outcome" text NOT NULL,
	"configuration_id" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "issuance_outcomes_key" PRIMARY KEY("tenant_id","day","outcome","configuration_id")
);
--> statement-breakpoint
CREATE INDEX "issuance_outcomes_age" ON "issuance_outcomes" USING btree ("day");