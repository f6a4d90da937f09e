import { sql } from 'drizzle-orm'
import type { FailReason, IntegrationFormat, SkippedEntry } from '../../../shared/domain/ecosystems/integrations.ts'
import type { LoteService, LoteType } from '../../../shared/formats/trusted-lists/lote/lote-types.ts'
import { boolean, bytes, index, integer, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** The result of the last fetch of an external list. */
export interface IntegrationResult {
  success: boolean
  /** ISO 8601. */
  lastSyncedAt: string
  /** The date of the last valid list, which stays in use. Absent if there was none. */
  lastModifiedAt?: string
  /** Hex, of the root of the first valid list, if the operator has configured no anchor. */
  pinnedRootFingerprint?: string
  failReasons?: FailReason[]
  /** The number of certificates in the last valid list. */
  certificatesCount?: number
  /** The most recent differences between two successive lists. */
  changes?: ListChangeCounts & { at: string }
  /** Entries of the last valid list that were skipped: their number and the first of them. */
  skippedEntries?: { count: number; first: SkippedEntry[] }
}

/** Certificates that were added, were removed, or have different data. */
export interface ListChangeCounts {
  added: number
  removed: number
  changed: number
}

/** The last valid list. */
export interface LastGoodList {
  /** The signing date in the list, ISO 8601. */
  date: string
  /** The sequence number of a list of trusted entities. */
  number?: number
  /**
   * The root of the list, in PEM. If the operator has configured no anchor, later lists must be under the same root.
   */
  root: string
  /** The ETag of the server, usable while an unchanged list would still be valid: until `until`, ISO 8601. */
  etag?: { value: string; until: string }
}

/** External lists that an ecosystem fetches. */
export const ecosystemIntegrations = table(
  'ecosystem_integrations',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    format: text('format').$type<IntegrationFormat>().notNull(),
    /** The type of a list of trusted entities. Null for a VICAL or RICAL. */
    loteType: text('lote_type').$type<LoteType>(),
    /** The types of credentials for which the issuers of a list of trusted entities are trusted. Null for those of its type. */
    types: json<string[]>('types'),
    url: text('url').notNull(),
    enabled: boolean('enabled').notNull(),
    /** The trusted certificates, in PEM. */
    trustAnchors: json<string[]>('trust_anchors').notNull(),
    /** The position in the order of the ecosystem. */
    position: integer('position').notNull(),
    /** Null until the first fetch. */
    result: json<IntegrationResult>('result'),
    lastGood: json<LastGoodList>('last_good'),
    /** When the list is fetched next. Null means at once. */
    nextSyncAt: timestamp('next_sync_at'),
    /** One job holds the integration until this time. */
    queuedUntil: timestamp('queued_until'),
    /** When it was last fetched, with any result. */
    attemptedAt: timestamp('attempted_at'),
    /** When a valid list was last fetched. */
    succeededAt: timestamp('succeeded_at'),
    /** The number of failures in a row. */
    failures: integer('failures').notNull().default(0),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('ecosystem_integrations_due').on(columns.nextSyncAt).where(sql`${columns.enabled}`),
    uniqueIndex('ecosystem_integrations_url').on(columns.tenantId, columns.ecosystemId, columns.format, columns.url),
  ],
)

/**
 * The certificates of the last valid list. Those of a VICAL are of issuing authorities and count in the check of who
 * may issue. Those of a RICAL are of reader authorities and are only shown. Those of a list of trusted entities count
 * by its type: issuers, or providers of wallets.
 */
export const integratedCertificates = table(
  'integrated_certificates',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    integrationId: text('integration_id').notNull(),
    /** SHA-256, hex. */
    fingerprint: text('fingerprint').notNull(),
    /** The subject key identifier in the list, hex. */
    ski: text('ski'),
    /** `issuingAuthority` of the list. */
    name: text('name'),
    /** DER, as received. */
    certificate: bytes('certificate').notNull(),
    /** The types of credentials that it is listed for. Empty for a RICAL, and for lists of entities that issue none. */
    docTypes: json<string[]>('doc_types').notNull(),
    /** The services of a list of trusted entities. Null for a VICAL or RICAL. */
    services: json<LoteService[]>('services'),
    /** The validity of the certificate. */
    notBefore: timestamp('not_before').notNull(),
    notAfter: timestamp('not_after').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('integrated_certificates_certificate').on(columns.integrationId, columns.fingerprint),
    index('integrated_certificates_fingerprint').on(columns.tenantId, columns.fingerprint),
    index('integrated_certificates_ecosystem').on(columns.tenantId, columns.ecosystemId, columns.integrationId),
  ],
)
