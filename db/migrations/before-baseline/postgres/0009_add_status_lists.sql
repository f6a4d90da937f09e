CREATE TABLE "status_bulks" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"is_revoked" boolean NOT NULL,
	"credential_ids" json,
	"filter" json,
	"state" text NOT NULL,
	"total" integer NOT NULL,
	"done" integer NOT NULL,
	"failed" json NOT NULL,
	"progress" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "status_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"list_id" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "status_entries" (
	"tenant_id" text NOT NULL,
	"list_id" text NOT NULL,
	"position" integer NOT NULL,
	"credential_id" text,
	"status" text NOT NULL,
	CONSTRAINT "status_entries_list_id_position_pk" PRIMARY KEY("list_id","position")
);
--> statement-breakpoint
CREATE TABLE "status_lists" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"kind" text NOT NULL,
	"number" integer NOT NULL,
	"size" integer NOT NULL,
	"taken" integer NOT NULL,
	"permutation_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "published_lists" (
	"list_id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"version" integer NOT NULL,
	"content" "bytea" NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "status_bulks_tenant" ON "status_bulks" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "status_bulks_age" ON "status_bulks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "status_changes_list" ON "status_changes" USING btree ("tenant_id","list_id","changed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "status_entries_credential" ON "status_entries" USING btree ("tenant_id","credential_id");--> statement-breakpoint
CREATE INDEX "status_entries_set" ON "status_entries" USING btree ("list_id","position") WHERE "status_entries"."status" <> 'valid';--> statement-breakpoint
CREATE UNIQUE INDEX "status_lists_number" ON "status_lists" USING btree ("tenant_id","kind","number");--> statement-breakpoint
CREATE INDEX "published_lists_tenant" ON "published_lists" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "published_lists_expiry" ON "published_lists" USING btree ("expires_at");