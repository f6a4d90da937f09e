import type { CalendarDuration } from '../../../shared/formats/calendar-duration.ts'
import type { DcqlQuery } from '../../../shared/formats/dcql/dcql-query.ts'
import { index, json, table, text, timestamp } from '../../columns.ts'

/** The checks of an answer besides the query, and what the verifier keeps. */
export interface TemplateChecks {
  trust: { issuers: 'all' } | { issuers: 'list'; ecosystemId: string }
  status: 'required' | 'ifPresent' | 'ignored'
  /** The maximum age of a status list, in seconds. */
  maxAgeOfStatus?: number
  keep: 'nothing' | 'claims' | 'presentation'
  keepFor: CalendarDuration
}

/** Queries for credentials of wallets, with the checks of the answer. */
export const verifierTemplates = table(
  'verifier_templates',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    name: text('name').notNull(),
    /** The reason that people read. */
    purpose: text('purpose'),
    query: json<DcqlQuery>('query').notNull(),
    checks: json<TemplateChecks>('checks').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('verifier_templates_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
