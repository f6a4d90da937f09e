-- The statistics of a column hold values of it, also those of users that were deleted since. The change of the type
-- removes the existing ones, without a copy of the table.
ALTER TABLE "users" ALTER COLUMN "subject_id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "subject_id" SET STATISTICS 0;
