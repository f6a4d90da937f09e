import type { StatusListFormat } from '../../../shared/formats/token-status-list.ts'
import { integer, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** Of profiles whose lists say no more than revoked or not. */
export type RevocationListKind = 'compact' | 'compact-semantic' | 'web-semantic'
/** Credentials of one kind share a list; the kinds are profiles. Those of `mobile` are token status lists. */
export type StatusListKind = RevocationListKind | 'mobile'

/** Which places there are for the status of credentials, and how many of them were given. What is published: published-lists.ts. */
export const statusLists = table(
  'status_lists',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    kind: text('kind').$type<StatusListKind>().notNull(),
    /** Of one kind there may be several, whose credentials share no list: token status lists differ by what stands below. */
    series: text('series').notNull().default(''),
    /** Of a token status list: the IACA under which its credentials were signed, and so its signer is. */
    caId: text('ca_id'),
    /** Of a token status list: the configuration that its document type had when it was opened; null for the default. */
    configurationId: text('configuration_id'),
    /** Of a token status list, for good. */
    format: text('format').$type<StatusListFormat>(),
    /** The tenant's lists of a series are opened one after the other, from 1. */
    number: integer('number').notNull(),
    /** Entries that fit. */
    size: integer('size').notNull(),
    /** How many places were given to signing processes, used or not: none is given twice. */
    taken: integer('taken').notNull(),
    /** Makes of a place in line a place in the list that tells nothing of it (shared/formats/permutation.ts); base64url. */
    permutationKey: text('permutation_key').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [uniqueIndex('status_lists_number').on(columns.tenantId, columns.kind, columns.series, columns.number)],
)
