-- Signatures, certificates and what is compressed already do not get smaller; PostgreSQL tries each time that they are written.
-- Rows that are there stay as they are.
ALTER TABLE "trusted_lists" ALTER COLUMN "content" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "published_lists" ALTER COLUMN "content" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "published_lists" ALTER COLUMN "jwt" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "evidence_chunks" ALTER COLUMN "content" SET STORAGE EXTERNAL;
