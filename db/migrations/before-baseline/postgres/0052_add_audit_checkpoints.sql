CREATE TABLE "audit_checkpoints" (
	"tenant_id" text NOT NULL,
	"size" integer NOT NULL,
	"note" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_checkpoints_tenant_id_size_pk" PRIMARY KEY("tenant_id","size")
);
--> statement-breakpoint
CREATE TABLE "audit_subtrees" (
	"tenant_id" text NOT NULL,
	"level" integer NOT NULL,
	"position" integer NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_subtrees_tenant_id_level_position_pk" PRIMARY KEY("tenant_id","level","position")
);
--> statement-breakpoint
ALTER TABLE "audit_heads" ADD COLUMN "checkpoint_size" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_heads" ADD COLUMN "checkpointed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "audit_heads_checkpointed" ON "audit_heads" USING btree ("checkpointed_at");