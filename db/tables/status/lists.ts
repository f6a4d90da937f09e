import type { CertifiedProfile } from '../../../shared/domain/issuance/profiles.ts'
import type { StatusListFormat } from '../../../shared/formats/token-status-list.ts'
import { integer, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** Profiles whose lists have two statuses: revoked or not. */
export type RevocationListKind = 'compact' | 'compact-semantic' | 'web-semantic'
/** Credentials of one kind share a list. The kinds are profiles. Those that certificates sign have token status lists. */
export type StatusListKind = RevocationListKind | CertifiedProfile

/** Status lists and how many of their status indexes are allocated. published-lists.ts has the published content. */
export const statusLists = table(
  'status_lists',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    kind: text('kind').$type<StatusListKind>().notNull(),
    /**
     * A kind can have several series, which share no list. Token status lists of one series agree in the next three
     * columns.
     */
    series: text('series').notNull().default(''),
    /** The IACA of the credentials of a token status list. The signer of the list is under the same IACA. */
    caId: text('ca_id'),
    /**
     * The configuration of the document type of a token status list when the list was created. Null for the default.
     */
    configurationId: text('configuration_id'),
    /** The format of a token status list. Never changes. */
    format: text('format').$type<StatusListFormat>(),
    /** Counts the lists of a series, from 1. */
    number: integer('number').notNull(),
    /** The number of entries. */
    size: integer('size').notNull(),
    /** The number of positions that were allocated to signing processes, used or not. No position is allocated twice. */
    taken: integer('taken').notNull(),
    /** Key of the permutation that hides the order of allocation (shared/formats/permutation.ts), base64url. */
    permutationKey: text('permutation_key').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [uniqueIndex('status_lists_number').on(columns.tenantId, columns.kind, columns.series, columns.number)],
)
