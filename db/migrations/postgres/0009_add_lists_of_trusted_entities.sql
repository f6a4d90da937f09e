ALTER TABLE "ecosystem_integrations" ADD COLUMN "lote_type" text;--> statement-breakpoint
ALTER TABLE "ecosystem_integrations" ADD COLUMN "types" json;--> statement-breakpoint
ALTER TABLE "integrated_certificates" ADD COLUMN "services" json;