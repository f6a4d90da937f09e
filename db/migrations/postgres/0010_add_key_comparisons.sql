CREATE TABLE "key_comparisons" (
	"provider" text PRIMARY KEY NOT NULL,
	"compared_at" timestamp (3) with time zone NOT NULL,
	"is_complete" boolean NOT NULL,
	"row_count" integer NOT NULL,
	"key_count" integer NOT NULL,
	"missing_count" integer NOT NULL,
	"missing" json NOT NULL,
	"unused" json NOT NULL
);
