CREATE TABLE "walks" (
	"id" text PRIMARY KEY NOT NULL,
	"cursor" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"has_left" boolean NOT NULL,
	"cleared_at" timestamp (3) with time zone
);
