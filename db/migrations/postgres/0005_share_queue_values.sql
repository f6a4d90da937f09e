-- What the processes of a service without Redis share (db/queue). db/tables does not define these tables.
CREATE TABLE "queue_values" (
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" bigint NOT NULL,
	PRIMARY KEY ("kind", "id")
);--> statement-breakpoint
-- A crash of the server empties the unlogged tables. Their transactions do not wait for the disk.
CREATE UNLOGGED TABLE "queue_unlogged_values" (
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" bigint NOT NULL,
	PRIMARY KEY ("kind", "id")
);--> statement-breakpoint
CREATE INDEX "queue_unlogged_values_expiry" ON "queue_unlogged_values" ("expires_at");--> statement-breakpoint
CREATE UNLOGGED TABLE "queue_requests" (
	"queue" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY,
	"id" text NOT NULL,
	"request" text NOT NULL,
	"expires_at" bigint NOT NULL,
	PRIMARY KEY ("queue", "position")
);--> statement-breakpoint
CREATE INDEX "queue_requests_id" ON "queue_requests" ("id");--> statement-breakpoint
CREATE UNLOGGED TABLE "queue_counters" (
	"key" text PRIMARY KEY NOT NULL,
	"count" bigint NOT NULL,
	"ends_at" bigint NOT NULL
);--> statement-breakpoint
CREATE INDEX "queue_counters_end" ON "queue_counters" ("ends_at");
