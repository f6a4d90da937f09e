ALTER TABLE "console_providers" ADD COLUMN "assertion_audience" text DEFAULT 'issuer' NOT NULL;--> statement-breakpoint
ALTER TABLE "claim_sources" ADD COLUMN "on_failure" text DEFAULT 'issue' NOT NULL;--> statement-breakpoint
ALTER TABLE "authentication_providers" ADD COLUMN "assertion_audience" text DEFAULT 'issuer' NOT NULL;