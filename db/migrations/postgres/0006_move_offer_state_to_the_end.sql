-- An offer is updated twice. PostgreSQL logs the bytes of a row from the first change to the last one, and those after a value of another
-- length. So the columns that change are the last ones. Offers live for a day, so the table is small.
ALTER TABLE "offers"
  ADD COLUMN "state_at_end" text NOT NULL GENERATED ALWAYS AS ("state") STORED,
  ADD COLUMN "session_id_at_end" text GENERATED ALWAYS AS ("session_id") STORED;--> statement-breakpoint
ALTER TABLE "offers" ALTER COLUMN "state_at_end" DROP EXPRESSION, ALTER COLUMN "session_id_at_end" DROP EXPRESSION;--> statement-breakpoint
ALTER TABLE "offers" DROP COLUMN "state", DROP COLUMN "session_id";--> statement-breakpoint
ALTER TABLE "offers" RENAME COLUMN "state_at_end" TO "state";--> statement-breakpoint
ALTER TABLE "offers" RENAME COLUMN "session_id_at_end" TO "session_id";--> statement-breakpoint
-- Room for the updated row on the page of the old one, so that the indexes do not change.
ALTER TABLE "offers" SET (fillfactor = 80);
