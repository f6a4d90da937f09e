import { index, table, text, timestamp } from '../../columns.ts'

/** Codes with which a program on the machine of an operator gets a session of its own. The first use deletes the row. */
export const consoleProgramCodes = table(
  'console_program_codes',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** The session of the operator who allowed it. */
    consoleSessionId: text('console_session_id').notNull(),
    /** The hash of the secret in the code. */
    secretHash: text('secret_hash').notNull(),
    /** The challenge for the verifier that only the program has (RFC 7636, S256). */
    challenge: text('challenge').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (columns) => [
    index('console_program_codes_tenant').on(columns.tenantId),
    index('console_program_codes_expiry').on(columns.expiresAt),
  ],
)
