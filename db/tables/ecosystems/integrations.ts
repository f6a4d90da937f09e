import { sql } from 'drizzle-orm'
import type { FailReason, IntegrationFormat, SkippedEntry } from '../../../shared/domain/ecosystems/integrations.ts'
import { boolean, bytes, index, integer, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** What came of the last time that a list of others was fetched. */
export interface IntegrationResult {
  success: boolean
  /** ISO 8601. */
  lastSyncedAt: string
  /** The date of the last list that was good, which stays in use; absent where there was none. */
  lastModifiedAt?: string
  /** Of the root under which the first good list was, where the operator names no anchor; hex. */
  pinnedRootFingerprint?: string
  failReasons?: FailReason[]
  /** How many certificates the last good list gave. */
  certificatesCount?: number
  /** What the list said otherwise than the one before, when it last did. */
  changes?: ListChangeCounts & { at: string }
  /** Entries of the last good list that gave nothing: how many, and the first of them. */
  skippedEntries?: { count: number; first: SkippedEntry[] }
}

/** Certificates that a list has and the one before did not, the other way round, and those of which it says something else. */
export interface ListChangeCounts {
  added: number
  removed: number
  changed: number
}

/** Of the last list that was good. */
export interface LastGoodList {
  /** When it was signed, as it says; ISO 8601. */
  date: string
  /** The root under which it was, in PEM: where the operator names no anchor, every later one has to be under it. */
  root: string
  /** Of its server, for as long as an unchanged list would be good again: ISO 8601. */
  etag?: { value: string; until: string }
}

/** Lists of others that an ecosystem takes over. */
export const ecosystemIntegrations = table(
  'ecosystem_integrations',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    format: text('format').$type<IntegrationFormat>().notNull(),
    url: text('url').notNull(),
    enabled: boolean('enabled').notNull(),
    /** In PEM. */
    trustAnchors: json<string[]>('trust_anchors').notNull(),
    /** Its place among those of the ecosystem. */
    position: integer('position').notNull(),
    /** Null until it was fetched. */
    result: json<IntegrationResult>('result'),
    lastGood: json<LastGoodList>('last_good'),
    /** When it is to be fetched; null for at once. */
    nextSyncAt: timestamp('next_sync_at'),
    /** Until then a job has it to itself. */
    queuedUntil: timestamp('queued_until'),
    /** When it was fetched last, whatever came of it. */
    attemptedAt: timestamp('attempted_at'),
    /** When a good list was found last. */
    succeededAt: timestamp('succeeded_at'),
    /** How often in a row it has failed. */
    failures: integer('failures').notNull().default(0),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('ecosystem_integrations_due').on(columns.nextSyncAt).where(sql`${columns.enabled}`),
    uniqueIndex('ecosystem_integrations_url').on(columns.tenantId, columns.ecosystemId, columns.format, columns.url),
  ],
)

/**
 * What the last good list of others gave. Certificates of a VICAL are of issuers' authorities, and count when somebody asks who may issue.
 * Certificates of a RICAL are of readers' authorities, and count for nothing: they are shown.
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
    /** The subject key identifier, as the list has it, hex. */
    ski: text('ski'),
    /** `issuingAuthority` of the list. */
    name: text('name'),
    /** DER, as it came. */
    certificate: bytes('certificate').notNull(),
    /** The types of mobile credentials that it is listed for; none of a RICAL. */
    docTypes: json<string[]>('doc_types').notNull(),
    /** Of the certificate. */
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
