ALTER TABLE "sessions" ADD COLUMN "credentials_left" integer;--> statement-breakpoint
ALTER TABLE "spent_proofs" ADD COLUMN "used_for" text;--> statement-breakpoint
ALTER TABLE "spent_proofs" ADD COLUMN "request_hash" text;