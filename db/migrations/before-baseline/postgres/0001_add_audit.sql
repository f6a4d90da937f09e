CREATE TABLE "audit_events" (
	"tenant_id" text NOT NULL,
	"number" integer NOT NULL,
	"id" text NOT NULL,
	"type" text NOT NULL,
	"timestamp" timestamp (3) with time zone NOT NULL,
	"request_id" text NOT NULL,
	"client_id" text,
	"data" json NOT NULL,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_events_tenant_id_number_pk" PRIMARY KEY("tenant_id","number")
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_events_page" ON "audit_events" USING btree ("tenant_id","timestamp","id");--> statement-breakpoint
CREATE INDEX "audit_events_request" ON "audit_events" USING btree ("tenant_id","request_id");--> statement-breakpoint
CREATE INDEX "audit_events_type" ON "audit_events" USING btree ("tenant_id","type","timestamp","id");--> statement-breakpoint
CREATE INDEX "audit_events_client" ON "audit_events" USING btree ("tenant_id","client_id","timestamp","id");
--> statement-breakpoint
INSERT INTO "audit_heads" ("tenant_id", "number", "hash") SELECT "id", 0, '' FROM "tenants";
