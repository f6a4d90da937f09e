ALTER TABLE "keys" ADD COLUMN "provider" text DEFAULT 'software' NOT NULL;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "handle" text;