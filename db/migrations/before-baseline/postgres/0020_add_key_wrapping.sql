ALTER TABLE "keys" ADD COLUMN "wrapped_under" text;--> statement-breakpoint
ALTER TABLE "published_lists" ADD COLUMN "key_id" text;--> statement-breakpoint
CREATE INDEX "keys_wrapped_under" ON "keys" USING btree ("wrapped_under","id");