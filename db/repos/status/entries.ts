import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import { type CredentialProfile, isCertifiedProfile } from '../../../shared/domain/issuance/profiles.ts'
import type { StatusListFormat } from '../../../shared/formats/token-status-list.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Reader, Writer } from '../../client.ts'
import { dialect, inRow, oneOf } from '../../columns.ts'
import { constant, param, paramOf, prepared, preparedInsert } from '../../engine/prepared.ts'
import { signedCredentials } from '../../tables/credentials/signed-credentials.ts'
import { type CredentialStatus, credentials } from '../../tables/issuance/credentials.ts'
import { statusChanges } from '../../tables/status/changes.ts'
import { statusEntries } from '../../tables/status/entries.ts'
import { statusLists } from '../../tables/status/lists.ts'
import { holdSigned } from '../credentials/signed.ts'
import { announceChanges } from '../operations/webhooks/change-announcements.ts'

/**
 * The results of a status change, by credential ids. Credentials that had the status before are in none of the lists.
 */
export interface StatusesSet {
  changed: string[]
  /** No credential of the tenant has the id, or it has another profile than requested. */
  unknown: string[]
  notRevocable: string[]
  /** Invalid credentials that certificates sign. They stay invalid: ISO/IEC 18013-5 does not allow a change back. */
  final: string[]
}

export interface StatusToSet {
  status: CredentialStatus
  /** Credentials of other profiles are treated as unknown. */
  profile?: CredentialProfile
  at: Date
}

/**
 * Sets the status of credentials, in a constant number of statements. Skips credentials that have the status. Records a
 * change for each affected list, so that the list is published again.
 *
 * Holds the credentials (hold.ts), so that concurrent changes and the erasure of a user run one after the other.
 */
export async function setStatuses(
  tx: Writer,
  tenantId: string,
  ids: string[],
  { status, profile, at }: StatusToSet,
): Promise<StatusesSet> {
  const all = await holdAll(tx, tenantId, ids)
  const rows = all.filter((each) => profile === undefined || each.profile === profile)
  const entryIds = new Set(rows.map(({ id }) => id))
  const certified = rows.filter((each) => isCertifiedProfile(each.profile) && each.listId !== null).map(({ id }) => id)
  const final = new Set(status === 'invalid' ? [] : await findInvalid(tx, tenantId, certified))
  const revocable = rows.filter(({ id, listId }) => listId !== null && !final.has(id)).map(({ id }) => id)
  const changed = revocable.length > 0 ? await change(tx, { tenantId, ids: revocable, status }) : []
  // Boundary: an entry that was found by its credential has one.
  const changedIds = changed.map(({ credentialId }) => credentialId as string)
  if (changedIds.length > 0) {
    await follow(tx, { tenantId, ids: changedIds, status })
    await recordListChanges(tx, tenantId, new Set(changed.map(({ listId }) => listId)), at)
    await announceStatuses(tx, tenantId, changedIds, { status, at })
  }
  return {
    changed: changedIds,
    unknown: ids.filter((id) => !entryIds.has(id)),
    notRevocable: rows.filter(({ listId }) => listId === null).map(({ id }) => id),
    final: [...final],
  }
}

/** Holds the issued credentials and then the directly signed ones, in lock order. */
async function holdAll(tx: Writer, tenantId: string, ids: string[]) {
  const issued: { id: string; profile: CredentialProfile; listId: string | null }[] = await held(tx, { tenantId, ids })
  const issuedIds = new Set(issued.map(({ id }) => id))
  const signed = await holdSigned(
    tx,
    tenantId,
    ids.filter((id) => !issuedIds.has(id)),
  )
  return [...issued, ...signed]
}

/** Locks the credentials in lock order. Does not read the status, which can change while the statement waits for the lock. */
const held = prepared('hold_credentials_with_entries', (tx) => {
  const rows = tx
    .select({ id: credentials.id, profile: credentials.profile, listId: statusEntries.listId })
    .from(credentials)
    .leftJoin(
      statusEntries,
      and(eq(statusEntries.tenantId, credentials.tenantId), eq(statusEntries.credentialId, credentials.id)),
    )
    .where(and(eq(credentials.tenantId, param('tenantId')), oneOf(credentials.id, 'ids')))
    .orderBy(asc(credentials.id))
  return dialect === 'postgres' ? rows.for('update', { of: credentials }) : rows
})

/** Returns which of the held credentials are invalid. */
async function findInvalid(tx: Writer, tenantId: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await invalid(tx, { tenantId, ids })
  // Boundary: an entry that was found by its credential has one.
  return rows.map(({ credentialId }) => credentialId as string)
}

const invalid = prepared('invalid_status_entries', (tx) =>
  tx
    .select({ credentialId: statusEntries.credentialId })
    .from(statusEntries)
    .where(
      and(
        eq(statusEntries.tenantId, param('tenantId')),
        oneOf(statusEntries.credentialId, 'ids'),
        eq(statusEntries.status, constant('invalid')),
      ),
    ),
)

const change = prepared('set_status_entries', (tx) =>
  tx
    .update(statusEntries)
    .set({ status: sql`${paramOf(statusEntries.status, 'status')}` })
    .where(
      and(
        eq(statusEntries.tenantId, param('tenantId')),
        oneOf(statusEntries.credentialId, 'ids'),
        ne(statusEntries.status, param('status')),
      ),
    )
    .returning({ credentialId: statusEntries.credentialId, listId: statusEntries.listId }),
)

/** Copies the status of the entries to the credentials. */
const follow = prepared('set_credential_statuses', (tx) =>
  tx
    .update(credentials)
    .set({ status: sql`${paramOf(credentials.status, 'status')}` })
    .where(and(eq(credentials.tenantId, param('tenantId')), oneOf(credentials.id, 'ids'))),
)

async function announceStatuses(
  tx: Writer,
  tenantId: string,
  ids: string[],
  { status, at }: StatusToSet,
): Promise<void> {
  const CredentialStatusChanged = ids.map((credentialId) => ({ credentialId, status }))
  const CredentialRevoked = status === 'invalid' ? ids.map((credentialId) => ({ credentialId })) : []
  await announceChanges(tx, tenantId, { CredentialRevoked, CredentialStatusChanged }, at)
}

const insertChanges = preparedInsert('insert_status_changes', statusChanges)

/** Records that entries of these lists changed, so that the lists are published again. */
export async function recordListChanges(
  tx: Writer,
  tenantId: string,
  listIds: Iterable<string>,
  at: Date,
): Promise<void> {
  const rows = [...listIds].map((listId) => ({ id: newOrderedId(at), tenantId, listId, changedAt: at }))
  await insertChanges(tx, rows)
}

interface StatusFound {
  profile: CredentialProfile
  status: CredentialStatus | null
  /** The format of a token status list. Null for other lists. */
  format: StatusListFormat | null
  listId: string | null
  position: number | null
}

const entryFields = {
  status: statusEntries.status,
  format: statusLists.format,
  listId: statusEntries.listId,
  position: statusEntries.position,
}
const ofEntry = and(eq(statusLists.tenantId, statusEntries.tenantId), eq(statusLists.id, statusEntries.listId))

const byIssued = prepared('status_of_credential', (db) =>
  db
    .select({ profile: credentials.profile, ...entryFields })
    .from(credentials)
    .leftJoin(
      statusEntries,
      and(eq(statusEntries.tenantId, credentials.tenantId), eq(statusEntries.credentialId, credentials.id)),
    )
    .leftJoin(statusLists, ofEntry)
    .where(and(inRow(credentials.tenantId, param('tenantId')), eq(credentials.id, param('id')))),
)

const bySigned = prepared('status_of_signed_credential', (db) =>
  db
    .select({ profile: signedCredentials.profile, ...entryFields })
    .from(signedCredentials)
    .leftJoin(
      statusEntries,
      and(eq(statusEntries.tenantId, signedCredentials.tenantId), eq(statusEntries.credentialId, signedCredentials.id)),
    )
    .leftJoin(statusLists, ofEntry)
    .where(
      and(
        inRow(signedCredentials.tenantId, param('tenantId')),
        eq(signedCredentials.id, param('id')),
        isNull(signedCredentials.cancelledAt),
      ),
    ),
)

/**
 * Returns the status of a credential, issued to a wallet or signed directly, with its list, position and format.
 * `status` is null if it has no list entry.
 */
export async function findStatus(db: Reader, tenantId: string, id: string): Promise<StatusFound | undefined> {
  const [issued] = await byIssued(db, { tenantId, id })
  if (issued) return issued
  const [signed] = await bySigned(db, { tenantId, id })
  return signed
}

const withEntry = prepared('credentials_with_status_entry', (db) =>
  db
    .select({ credentialId: statusEntries.credentialId })
    .from(statusEntries)
    .where(and(eq(statusEntries.tenantId, param('tenantId')), oneOf(statusEntries.credentialId, 'ids'))),
)

/** Returns which of these credentials have a list entry, so that their status can change. */
export async function findRevocable(db: Reader, tenantId: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await withEntry(db, { tenantId, ids })
  // Boundary: an entry that was found by its credential has one.
  return new Set(rows.map(({ credentialId }) => credentialId as string))
}
