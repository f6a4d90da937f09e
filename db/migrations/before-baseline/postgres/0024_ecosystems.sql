CREATE TABLE "ecosystem_credential_types" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"profile" text NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ecosystems" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"policy_modified_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ecosystem_integrations" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"format" text NOT NULL,
	"url" text NOT NULL,
	"enabled" boolean NOT NULL,
	"trust_anchors" json NOT NULL,
	"position" integer NOT NULL,
	"result" json,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "participant_credential_types" (
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"participant_id" text NOT NULL,
	"role" text NOT NULL,
	"credential_type_id" text NOT NULL,
	CONSTRAINT "participant_credential_types_participant_id_role_credential_type_id_pk" PRIMARY KEY("participant_id","role","credential_type_id")
);
--> statement-breakpoint
CREATE TABLE "participant_identifiers" (
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"participant_id" text NOT NULL,
	"profile" text NOT NULL,
	"identifier" text NOT NULL,
	CONSTRAINT "participant_identifiers_participant_id_profile_identifier_pk" PRIMARY KEY("participant_id","profile","identifier")
);
--> statement-breakpoint
CREATE TABLE "participants" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"name" text NOT NULL,
	"identifiers" json NOT NULL,
	"is_issuer" boolean NOT NULL,
	"is_verifier" boolean NOT NULL,
	"is_issuer_constrained" boolean NOT NULL,
	"is_verifier_constrained" boolean NOT NULL,
	"status" text NOT NULL,
	"country" text,
	"state_or_province" text,
	"contacts" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ecosystem_policies" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"ecosystem_id" text NOT NULL,
	"kind" text NOT NULL,
	"content" "bytea" NOT NULL,
	"list_id" text,
	"published_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "ecosystem_credential_types_type" ON "ecosystem_credential_types" USING btree ("ecosystem_id","profile","type");--> statement-breakpoint
CREATE INDEX "ecosystem_credential_types_page" ON "ecosystem_credential_types" USING btree ("tenant_id","ecosystem_id","created_at","id");--> statement-breakpoint
CREATE INDEX "ecosystems_page" ON "ecosystems" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "ecosystem_integrations_url" ON "ecosystem_integrations" USING btree ("tenant_id","ecosystem_id","format","url");--> statement-breakpoint
CREATE INDEX "participant_credential_types_type" ON "participant_credential_types" USING btree ("tenant_id","credential_type_id");--> statement-breakpoint
CREATE INDEX "participant_credential_types_ecosystem" ON "participant_credential_types" USING btree ("tenant_id","ecosystem_id");--> statement-breakpoint
CREATE INDEX "participant_identifiers_identifier" ON "participant_identifiers" USING btree ("tenant_id","profile","identifier");--> statement-breakpoint
CREATE INDEX "participant_identifiers_ecosystem" ON "participant_identifiers" USING btree ("tenant_id","ecosystem_id");--> statement-breakpoint
CREATE INDEX "participants_page" ON "participants" USING btree ("tenant_id","ecosystem_id","created_at","id");--> statement-breakpoint
CREATE INDEX "ecosystem_policies_latest" ON "ecosystem_policies" USING btree ("tenant_id","ecosystem_id","kind","published_at","id");