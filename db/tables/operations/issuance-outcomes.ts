import { index, integer, primaryKey, table, text, timestamp } from '../../columns.ts'

/**
 * `issued`: a credential request succeeded. `failed`: an offer for one person ended after a failed request, without a credential.
 * `expired`: such an offer expired, and no wallet used it.
 */
export type IssuanceOutcome = 'issued' | 'failed' | 'expired'

/** The number of outcomes per tenant, day and configuration. The issuances and offers themselves can be purged. */
export const issuanceOutcomes = table(
  'issuance_outcomes',
  {
    tenantId: text('tenant_id').notNull(),
    /** The start of the day in UTC. */
    day: timestamp('day').notNull(),
    outcome: text('outcome').$type<IssuanceOutcome>().notNull(),
    /** Empty for offers, and for an issuance whose user was erased. */
    configurationId: text('configuration_id').notNull(),
    count: integer('count').notNull(),
  },
  (columns) => [
    primaryKey({
      name: 'issuance_outcomes_key',
      columns: [columns.tenantId, columns.day, columns.outcome, columns.configurationId],
    }),
    index('issuance_outcomes_age').on(columns.day),
  ],
)
