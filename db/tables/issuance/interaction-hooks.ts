import { boolean, integer, json, table, text } from '../../columns.ts'

/** The component to which people are sent between login and issuance. A tenant has at most one. */
export const interactionHooks = table('interaction_hooks', {
  tenantId: text('tenant_id').primaryKey(),
  url: text('url').notNull(),
  /** Names of the claims that the component receives. */
  claims: json<string[]>('claims').notNull(),
  sessionTimeoutInSec: integer('session_timeout_in_sec').notNull(),
  disabled: boolean('disabled').notNull(),
  /** 32 bytes in base64, sealed. */
  sealedSecret: text('sealed_secret').notNull(),
})
