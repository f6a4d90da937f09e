CREATE TABLE "console_program_codes" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"console_session_id" text NOT NULL,
	"secret_hash" text NOT NULL,
	"challenge" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "console_program_codes_tenant" ON "console_program_codes" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "console_program_codes_expiry" ON "console_program_codes" USING btree ("expires_at");