import { and, desc, eq, inArray, isNotNull, isNull, ne, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { CredentialProfile } from '../../../../shared/domain/issuance/profiles.ts'
import type { CertificateKind } from '../../../../shared/formats/x509/profiles.ts'
import type { Reader } from '../../../client.ts'
import { beginsWith, inRow } from '../../../columns.ts'
import { certificates } from '../../../tables/certificates/certificates.ts'
import { trustedIssuers } from '../../../tables/certificates/trusted-issuers.ts'
import { ecosystems } from '../../../tables/ecosystems/ecosystems.ts'
import { participants } from '../../../tables/ecosystems/participants.ts'
import { bulkIssuances } from '../../../tables/issuance/bulk-issuances.ts'
import { configurations } from '../../../tables/issuance/configurations.ts'
import { credentials } from '../../../tables/issuance/credentials.ts'
import { offers } from '../../../tables/issuance/offers.ts'
import { sharedOffers } from '../../../tables/issuance/shared-offers.ts'
import { users } from '../../../tables/issuance/users.ts'
import { events } from '../../../tables/operations/events.ts'
import { webhooks } from '../../../tables/operations/webhooks.ts'
import { clients } from '../../../tables/tenancy/clients.ts'
import { findNames } from '../../issuance/configuration-names.ts'

/** An object that a search found, with what its address and its line need. */
export interface FoundObject {
  id: string
  name?: string | undefined
  type?: string
  profile?: CredentialProfile
  certificateKind?: CertificateKind
  ecosystemId?: string
}

/** The maximum number of rows that a search compares, for kinds of which a tenant has few objects. The newest rows come first. */
const walkedAtMost = 500

/** The maximum number of rows whose labels a search compares word by word. The newest rows come first. */
const labelsAtMost = 2_000

/** Finds a user by its id, users whose label begins with a text, and new users whose label contains its words. */
export async function matchUsers(db: Reader, tenantId: string, text: string, limit: number): Promise<FoundObject[]> {
  const [byId, ...byLabel] = await Promise.all([
    rowById(db, tenantId, users, text, { id: users.id, label: users.label }),
    rowsByLabel(db, tenantId, users, text, limit),
    rowsByWords(db, tenantId, users, text),
  ])
  return [...byId, ...byLabel.flat()].map(labelled)
}

/** Finds an offer of either kind by its id, offers whose label begins with a text, and new offers whose label contains its words. */
export async function matchOffers(db: Reader, tenantId: string, text: string, limit: number): Promise<FoundObject[]> {
  const state = { id: sharedOffers.id, label: sharedOffers.label, deletedAt: sharedOffers.deletedAt }
  const [own, shared, ...byLabel] = await Promise.all([
    rowById(db, tenantId, offers, text, { id: offers.id, label: offers.label }),
    rowById(db, tenantId, sharedOffers, text, state),
    rowsByLabel(db, tenantId, offers, text, limit),
    // A deleted offer has no label.
    rowsByLabel(db, tenantId, sharedOffers, text, limit),
    rowsByWords(db, tenantId, offers, text),
    rowsByWords(db, tenantId, sharedOffers, text, isNull(sharedOffers.deletedAt)),
  ])
  return [...own, ...shared.filter(({ deletedAt }) => deletedAt === null), ...byLabel.flat()].map(labelled)
}

/** Finds an issued credential by its id. */
export async function matchCredentials(db: Reader, tenantId: string, text: string): Promise<FoundObject[]> {
  const { id, type, profile } = credentials
  return rowById(db, tenantId, credentials, text, { id, type, profile })
}

/** Finds configurations by id, and by a part of a name or a type. */
export async function matchConfigurations(db: Reader, tenantId: string, text: string): Promise<FoundObject[]> {
  const { id, type, profile, names } = configurations
  const columns = { id, type, profile, names }
  const [byId, walked] = await Promise.all([
    rowById(db, tenantId, configurations, text, columns),
    db
      .select(columns)
      .from(configurations)
      .where(eq(configurations.tenantId, tenantId))
      .orderBy(desc(profile), desc(configurations.createdAt), desc(id))
      .limit(walkedAtMost),
  ])
  const namesOf = await findNames(db, tenantId, [...byId, ...walked])
  const isMatching = (row: { id: string; type: string }) =>
    [row.type, ...(namesOf.get(row.id) ?? [])].some((each) => contains(each, text))
  return [...byId, ...walked.filter(isMatching)].map((row) => ({
    ...{ id: row.id, name: namesOf.get(row.id)?.[0], type: row.type, profile: row.profile },
  }))
}

/** Finds management clients by id, and by a part of their name. */
export async function matchClients(db: Reader, tenantId: string, text: string): Promise<FoundObject[]> {
  return byIdOrName(db, tenantId, clients, text, clients.name)
}

/** Finds webhooks by id, and by a part of their URL. Listeners are not found. */
export async function matchWebhooks(db: Reader, tenantId: string, text: string): Promise<FoundObject[]> {
  return byIdOrName(db, tenantId, webhooks, text, webhooks.url, { all: isNull(webhooks.leasedUntil) })
}

/** Finds ecosystems by id, and by a part of their name. */
export async function matchEcosystems(db: Reader, tenantId: string, text: string): Promise<FoundObject[]> {
  return byIdOrName(db, tenantId, ecosystems, text, ecosystems.name)
}

/** Finds bulk issuances by id, and those of files by a part of the name of the file. Removed ones are not found. */
export async function matchBulkIssuances(db: Reader, tenantId: string, text: string): Promise<FoundObject[]> {
  const { source, state, fileName } = bulkIssuances
  const conditions = { all: ne(state, 'removed'), named: eq(source, 'file') }
  return byIdOrName(db, tenantId, bulkIssuances, text, fileName, conditions)
}

/** Finds trusted issuers by id, and by a part of their common name. */
export async function matchTrustedIssuers(db: Reader, tenantId: string, text: string): Promise<FoundObject[]> {
  return byIdOrName(db, tenantId, trustedIssuers, text, trustedIssuers.commonName)
}

/** Finds participants of all ecosystems by id, and by the beginning of their name. */
export async function matchParticipants(
  db: Reader,
  tenantId: string,
  text: string,
  limit: number,
): Promise<FoundObject[]> {
  const { id, name, ecosystemId } = participants
  const columns = { id, name, ecosystemId }
  const [byId, byName] = await Promise.all([
    rowById(db, tenantId, participants, text, columns),
    db
      .select(columns)
      .from(participants)
      .where(and(eq(participants.tenantId, tenantId), beginsWith(name, text)))
      .limit(limit),
  ])
  return [...byId, ...byName]
}

/** Finds authorities and signers by id, by serial number in hexadecimal, and by a part of their common name. */
export async function matchCertificates(db: Reader, tenantId: string, text: string): Promise<FoundObject[]> {
  const { id, kind, subject, serialNumber } = certificates
  const columns = { id, kind, subject }
  const serial = text.replaceAll(/^0x|[:\s]/g, '').toLowerCase()
  const [byId, bySerial, walked] = await Promise.all([
    rowById(db, tenantId, certificates, text, columns),
    db
      .select(columns)
      .from(certificates)
      .where(and(eq(certificates.tenantId, tenantId), inArray(serialNumber, [serial, serial.toUpperCase()])))
      .limit(walkedAtMost),
    db
      .select(columns)
      .from(certificates)
      .where(eq(certificates.tenantId, tenantId))
      .orderBy(desc(kind), desc(certificates.createdAt), desc(id))
      .limit(walkedAtMost),
  ])
  const named = walked.filter((row) => contains(row.subject.commonName, text))
  return [...byId, ...bySerial, ...named].map((row) => ({
    ...{ id: row.id, name: row.subject.commonName, certificateKind: row.kind },
  }))
}

/** A request that a search found by its id, and the offer that it was about. */
export type FoundRequest = FoundObject & { offerId: string | null }

/** Finds a request by its id, which pages for people show as a reference. */
export async function matchRequests(db: Reader, tenantId: string, text: string): Promise<FoundRequest[]> {
  const rows = await db
    .select({ id: events.requestId, type: events.type, offerId: events.offerId })
    .from(events)
    .where(and(eq(events.tenantId, tenantId), eq(events.requestId, text)))
    .limit(1)
  return rows.map(({ type, ...row }) => ({ ...row, type: type.replace(/_(START|SUCCESS|FAIL)$/, '') }))
}

type SearchedTable = PgTable & { tenantId: PgColumn; id: PgColumn; createdAt: PgColumn }

async function rowById<Columns extends Record<string, PgColumn>>(
  db: Reader,
  tenantId: string,
  table: PgTable & { tenantId: PgColumn; id: PgColumn },
  id: string,
  columns: Columns,
  condition?: SQL,
) {
  return db
    .select(columns)
    .from(table)
    .where(and(inRow(table.tenantId, tenantId), eq(table.id, id), condition))
}

async function rowsByLabel(
  db: Reader,
  tenantId: string,
  table: typeof users | typeof offers | typeof sharedOffers,
  text: string,
  limit: number,
): Promise<{ id: string; label: string | null }[]> {
  const searched: SearchedTable & { label: PgColumn } = table
  return db
    .select({ id: table.id, label: table.label })
    .from(searched)
    .where(and(eq(table.tenantId, tenantId), isNotNull(table.label), beginsWith(table.label, text)))
    .limit(limit)
}

/** Compares the newest rows. A label must contain each word of the text, in any order. */
async function rowsByWords(
  db: Reader,
  tenantId: string,
  table: typeof users | typeof offers | typeof sharedOffers,
  text: string,
  condition?: SQL,
): Promise<{ id: string; label: string | null }[]> {
  const searched: SearchedTable & { label: PgColumn } = table
  const walked = await db
    .select({ id: table.id, label: table.label })
    .from(searched)
    .where(and(eq(table.tenantId, tenantId), condition))
    .orderBy(desc(table.createdAt), desc(table.id))
    .limit(labelsAtMost)
  const words = text.split(/\s+/)
  return walked.filter(({ label }) => label !== null && words.every((word) => contains(label, word)))
}

/** The conditions on all found objects, and on those that are found by their name. */
interface Conditions {
  all?: SQL
  named?: SQL
}

/** Compares the newest objects of a kind of which a tenant has few. */
async function byIdOrName(
  db: Reader,
  tenantId: string,
  table: SearchedTable,
  text: string,
  name: PgColumn,
  { all, named }: Conditions = {},
): Promise<FoundObject[]> {
  const columns = { id: table.id, name }
  const [byId, walked] = await Promise.all([
    rowById(db, tenantId, table, text, columns, all),
    db
      .select(columns)
      .from(table)
      .where(and(eq(table.tenantId, tenantId), all, named))
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(walkedAtMost),
  ])
  // Boundary: the ids and names of all these tables are texts.
  const rows = [...byId, ...walked.filter((row) => contains(row.name, text))] as { id: string; name: string | null }[]
  return rows.map((row) => ({ id: row.id, name: row.name ?? undefined }))
}

function labelled({ id, label }: { id: string; label: string | null }): FoundObject {
  return { id, name: label ?? undefined }
}

function contains(name: unknown, text: string): boolean {
  return typeof name === 'string' && name.toLowerCase().includes(text.toLowerCase())
}
