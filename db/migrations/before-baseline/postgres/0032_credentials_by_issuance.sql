DROP INDEX "credentials_issuance";--> statement-breakpoint
CREATE UNIQUE INDEX "credentials_issuance" ON "credentials" USING btree ("issuance_id","position");