CREATE TABLE "verifier_applications" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"settings" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verifier_templates" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"purpose" text,
	"query" json NOT NULL,
	"checks" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verifier_wallet_providers" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"authorization_endpoint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "verifier_applications_page" ON "verifier_applications" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "verifier_templates_page" ON "verifier_templates" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "verifier_wallet_providers_page" ON "verifier_wallet_providers" USING btree ("tenant_id","created_at","id");