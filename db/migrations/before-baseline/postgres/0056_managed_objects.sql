CREATE TABLE "managed_objects" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"kind" text NOT NULL,
	"parent_id" text NOT NULL,
	"name" text NOT NULL,
	"object_id" text NOT NULL,
	"digest" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "managed_objects_name" ON "managed_objects" USING btree ("tenant_id","kind","parent_id","name");--> statement-breakpoint
CREATE INDEX "managed_objects_object" ON "managed_objects" USING btree ("tenant_id","object_id");