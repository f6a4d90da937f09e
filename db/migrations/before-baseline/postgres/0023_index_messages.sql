DROP INDEX "inbox_dids_did";--> statement-breakpoint
DROP INDEX "inbox_dids_recipient";--> statement-breakpoint
DROP INDEX "inbox_messages_page";--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_dids_recipient" ON "inbox_dids" USING btree ("did","tenant_id");--> statement-breakpoint
CREATE INDEX "inbox_messages_page" ON "inbox_messages" USING btree ("tenant_id","inbox_id","created_at","id","size_bytes");