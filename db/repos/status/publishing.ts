import { and, asc, eq, exists, gt, inArray, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow, oneOf } from '../../columns.ts'
import { constant, param, paramOf, prepared } from '../../engine/prepared.ts'
import { certificates } from '../../tables/certificates/certificates.ts'
import type { CredentialStatus } from '../../tables/issuance/credentials.ts'
import { statusChanges } from '../../tables/status/changes.ts'
import { statusEntries } from '../../tables/status/entries.ts'
import { statusListConfigurations } from '../../tables/status/list-configurations.ts'
import { statusLists } from '../../tables/status/lists.ts'
import { publishedLists } from '../../tables/status/published-lists.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'
import { isServedRow } from '../tenancy/tenants.ts'
import { recordListChanges } from './entries.ts'

export interface ListRef {
  tenantId: string
  listId: string
}

/**
 * One change of each list. Jumps from list to list in the index, so that a million changes of a list cost no more than
 * one.
 */
const oneOfEach: SQL = sql`(
  with recursive heads (id) as (
    select (select id from status_changes order by tenant_id, list_id limit 1)
    union all
    select coalesce(
      (
        select later.id from status_changes as later
        where later.tenant_id = this.tenant_id and later.list_id > this.list_id order by later.list_id limit 1
      ),
      (
        select later.id from status_changes as later
        where later.tenant_id > this.tenant_id order by later.tenant_id, later.list_id limit 1
      )
    ) from heads join status_changes as this on this.id = heads.id
  )
  select id from heads where id is not null
)`

const changed = prepared('changed_status_lists', (db) =>
  db
    .select({ tenantId: statusChanges.tenantId, listId: statusChanges.listId })
    .from(statusChanges)
    .where(inArray(statusChanges.id, oneOfEach)),
)

/** Returns the lists of all tenants with changes that are not published. */
export async function findChangedLists(db: Reader): Promise<ListRef[]> {
  return changed(db, {})
}

const toRenew = prepared('status_lists_to_renew', (db) =>
  db
    .select({ tenantId: publishedLists.tenantId, listId: publishedLists.listId })
    .from(publishedLists)
    .where(lte(publishedLists.renewAt, paramOf(publishedLists.renewAt, 'at')))
    .orderBy(asc(publishedLists.renewAt))
    .limit(sql.placeholder('limit')),
)

/** Returns published lists of all tenants that are due for renewal, the longest due first. */
export async function findListsToRenew(db: Reader, at: Date, limit: number): Promise<ListRef[]> {
  return toRenew(db, { at, limit })
}

const toPublish = prepared('status_list_to_publish', (db) =>
  db
    .select({
      id: statusLists.id,
      kind: statusLists.kind,
      series: statusLists.series,
      size: statusLists.size,
      version: publishedLists.version,
      renewAt: publishedLists.renewAt,
      caId: statusLists.caId,
      format: statusLists.format,
      /** The end of the authority. Null also if it does not exist any more. */
      caNotAfter: certificates.notAfter,
      /** Null without a configuration. */
      ttlDays: statusListConfigurations.ttlDays,
      expiryDays: statusListConfigurations.expiryDays,
      issuerDid: tenants.did,
    })
    .from(statusLists)
    .innerJoin(
      publishedLists,
      and(eq(publishedLists.tenantId, statusLists.tenantId), eq(publishedLists.listId, statusLists.id)),
    )
    .innerJoin(tenants, and(eq(tenants.id, statusLists.tenantId), isServedRow))
    .leftJoin(certificates, and(eq(certificates.tenantId, statusLists.tenantId), eq(certificates.id, statusLists.caId)))
    .leftJoin(
      statusListConfigurations,
      and(
        eq(statusListConfigurations.tenantId, statusLists.tenantId),
        eq(statusListConfigurations.id, statusLists.configurationId),
      ),
    )
    .where(and(inRow(statusLists.tenantId, param('tenantId')), eq(statusLists.id, param('listId')))),
)

/**
 * Returns a list with its published version. Returns undefined if the list does not exist or its tenant is being
 * deleted.
 */
export async function findListToPublish(db: Reader, tenantId: string, listId: string) {
  const [row] = await toPublish(db, { tenantId, listId })
  return row
}

const changes = prepared('changes_of_status_list', (db) =>
  db
    .select({ id: statusChanges.id })
    .from(statusChanges)
    .where(and(eq(statusChanges.tenantId, param('tenantId')), eq(statusChanges.listId, param('listId'))))
    .orderBy(asc(statusChanges.changedAt))
    .limit(sql.placeholder('limit')),
)

/** Returns the ids of unpublished changes, oldest first. Entries that are read afterwards include these changes. */
export async function findChanges(db: Reader, tenantId: string, listId: string, limit: number): Promise<string[]> {
  const rows = await changes(db, { tenantId, listId, limit })
  return rows.map(({ id }) => id)
}

/**
 * Returns all positions in one row, because one row per position takes four times as long. The tenant of the entries is
 * not compared, because the index does not have it and the query would take fifty times as long. The tenant of the list
 * is.
 */
const setPositions = prepared('set_status_positions', (db) => {
  const page = db
    .select({ position: statusEntries.position })
    .from(statusEntries)
    .where(isSet(db))
    .orderBy(asc(statusEntries.position))
    .limit(sql.placeholder('limit'))
    .as('page')
  return db.select({ all: sql<string | null>`string_agg(cast(${page.position} as text), ',')` }).from(page)
})

/** Returns the first positions after `after` that are not valid. */
export async function findSetPositions(
  db: Reader,
  tenantId: string,
  listId: string,
  after: number,
  limit: number,
): Promise<number[]> {
  const [row] = await setPositions(db, { tenantId, listId, after, limit })
  // Boundary: integers separated by commas.
  return JSON.parse(`[${row?.all ?? ''}]`) as number[]
}

function isSet(db: Reader): SQL | undefined {
  const ofTenant = db
    .select({ one: sql`1` })
    .from(statusLists)
    .where(and(eq(statusLists.tenantId, param('tenantId')), eq(statusLists.id, param('listId'))))
  return and(
    exists(ofTenant),
    eq(statusEntries.listId, param('listId')),
    // The condition of the index.
    ne(statusEntries.status, constant('valid')),
    gt(statusEntries.position, param('after')),
  )
}

const setStatuses = prepared('set_statuses', (db) =>
  db
    .select({ position: statusEntries.position, status: statusEntries.status })
    .from(statusEntries)
    .where(isSet(db))
    .orderBy(asc(statusEntries.position))
    .limit(sql.placeholder('limit')),
)

/**
 * Returns the first entries after `after` that are not valid, with their statuses, for lists with more than two
 * statuses.
 */
export async function findSetStatuses(
  db: Reader,
  tenantId: string,
  listId: string,
  after: number,
  limit: number,
): Promise<{ position: number; status: CredentialStatus }[]> {
  return setStatuses(db, { tenantId, listId, after, limit })
}

/** The columns of a version. */
export type VersionContent = Omit<typeof publishedLists.$inferSelect, 'tenantId' | 'listId' | 'version'>

export interface NewVersion {
  content: VersionContent
  /** The version that it replaces. The new version is one higher. */
  replaces: number
  /** The ids of the changes that it contains. */
  changeIds: string[]
}

/**
 * Publishes the next version of a list. Returns false and changes nothing if another version was published in the
 * meantime.
 */
export async function publishVersion(
  tx: Writer,
  tenantId: string,
  listId: string,
  { content, replaces, changeIds }: NewVersion,
): Promise<boolean> {
  const published = await tx
    .update(publishedLists)
    .set({ ...content, version: replaces + 1 })
    .where(
      and(
        eq(publishedLists.tenantId, tenantId),
        eq(publishedLists.listId, listId),
        eq(publishedLists.version, replaces),
      ),
    )
    .returning({ version: publishedLists.version })
  if (published.length === 0) return false
  await removeChanges(tx, { tenantId, ids: changeIds })
  return true
}

const removeChanges = prepared('remove_status_changes', (tx) =>
  tx.delete(statusChanges).where(and(eq(statusChanges.tenantId, param('tenantId')), oneOf(statusChanges.id, 'ids'))),
)

/**
 * Makes the lists that a certificate signed be signed again, by another certificate. The caller ends and holds the
 * certificate. A concurrent publication with it has committed before, or fails.
 */
export async function resignListsOfSigner(tx: Writer, tenantId: string, signerId: string, at: Date): Promise<void> {
  const rows = await tx
    .select({ listId: publishedLists.listId })
    .from(publishedLists)
    .where(and(eq(publishedLists.tenantId, tenantId), eq(publishedLists.signerId, signerId)))
  await recordListChanges(
    tx,
    tenantId,
    rows.map(({ listId }) => listId),
    at,
  )
}

/** Makes the token status lists with two bits for each credential be signed again. The caller holds the tenant. */
export async function resignSuspendableLists(tx: Writer, tenantId: string, at: Date): Promise<void> {
  const hasTwoBits = or(eq(statusLists.kind, 'sd-jwt'), eq(statusLists.format, 'legacy'))
  const rows = await tx
    .select({ listId: statusLists.id })
    .from(statusLists)
    .where(and(eq(statusLists.tenantId, tenantId), hasTwoBits))
  await recordListChanges(
    tx,
    tenantId,
    rows.map(({ listId }) => listId),
    at,
  )
}

/** Makes the lists that keys of the tenant's DID signed be signed again. The caller retires and holds the keys. */
export async function resignListsOfDid(tx: Writer, tenantId: string, at: Date): Promise<void> {
  const rows = await tx
    .select({ listId: publishedLists.listId })
    .from(publishedLists)
    .where(and(eq(publishedLists.tenantId, tenantId), isNull(publishedLists.signerId)))
  await recordListChanges(
    tx,
    tenantId,
    rows.map(({ listId }) => listId),
    at,
  )
}

/** Ends the publication of a list that cannot be signed any more. All its credentials have expired. */
export async function endPublication(tx: Writer, tenantId: string, listId: string): Promise<void> {
  await tx
    .update(publishedLists)
    .set({ renewAt: null })
    .where(and(eq(publishedLists.tenantId, tenantId), eq(publishedLists.listId, listId)))
  await tx.delete(statusChanges).where(and(eq(statusChanges.tenantId, tenantId), eq(statusChanges.listId, listId)))
}
