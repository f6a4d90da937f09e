import { and, asc, eq, exists, gt, inArray, isNull, lte, ne, type SQL, sql } from 'drizzle-orm'
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
import { noteChanges } from './entries.ts'

export interface ListRef {
  tenantId: string
  listId: string
}

/** Of each list one of its changes. Goes from list to list in the index: a million changes of one of them cost no more than one. */
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

/** The lists of all tenants that have changes which nothing published shows. */
export async function findChangedLists(db: Reader): Promise<ListRef[]> {
  return changed(db, {})
}

const toRenew = prepared('status_lists_to_renew', (db) =>
  db
    .select({ tenantId: publishedLists.tenantId, listId: publishedLists.listId })
    .from(publishedLists)
    .where(lte(publishedLists.renewAt, paramOf(publishedLists.renewAt, 'at')))
    .orderBy(asc(publishedLists.renewAt))
    .limit(sql.placeholder('most')),
)

/** The published lists of all tenants that are to be made anew though nothing changed, the longest due first. */
export async function findListsToRenew(db: Reader, at: Date, most: number): Promise<ListRef[]> {
  return toRenew(db, { at, most })
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
      /** Null also where the authority is gone. */
      caNotAfter: certificates.notAfter,
      /** Null where there is no configuration, or none any more. */
      ttlDays: statusListConfigurations.ttlDays,
      expiryDays: statusListConfigurations.expiryDays,
      issuerDid: tenants.did,
    })
    .from(statusLists)
    .innerJoin(
      publishedLists,
      and(eq(publishedLists.tenantId, statusLists.tenantId), eq(publishedLists.listId, statusLists.id)),
    )
    .innerJoin(tenants, and(eq(tenants.id, statusLists.tenantId), eq(tenants.state, constant('active'))))
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

/** A list with its published version; undefined when it is gone, or its tenant is going. */
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
    .limit(sql.placeholder('most')),
)

/** The ids of changes that nothing published shows, the oldest first. Entries that are read after this show what they did. */
export async function findChanges(db: Reader, tenantId: string, listId: string, most: number): Promise<string[]> {
  const rows = await changes(db, { tenantId, listId, most })
  return rows.map(({ id }) => id)
}

/**
 * One row, of all positions: a row of each takes four times as long. The entries' own tenant is not asked for, which would take
 * fifty times as long, since the index has the positions alone: the list is the tenant's, and so are its entries.
 */
const setPositions = prepared('set_status_positions', (db) => {
  const page = db
    .select({ position: statusEntries.position })
    .from(statusEntries)
    .where(isSet(db))
    .orderBy(asc(statusEntries.position))
    .limit(sql.placeholder('most'))
    .as('page')
  return db.select({ all: sql<string | null>`string_agg(cast(${page.position} as text), ',')` }).from(page)
})

/** The first positions behind `after` that are not valid, in any order. */
export async function findSetPositions(
  db: Reader,
  tenantId: string,
  listId: string,
  after: number,
  most: number,
): Promise<number[]> {
  const [row] = await setPositions(db, { tenantId, listId, after, most })
  // Boundary: whole numbers between commas.
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
    // As the index on them has it.
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
    .limit(sql.placeholder('most')),
)

/** The first entries behind `after` that are not valid, with what they are: for lists that tell more than one such status. */
export async function findSetStatuses(
  db: Reader,
  tenantId: string,
  listId: string,
  after: number,
  most: number,
): Promise<{ position: number; status: CredentialStatus }[]> {
  return setStatuses(db, { tenantId, listId, after, most })
}

/** All that is stored of a version, but whose it is. */
export type VersionContent = Omit<typeof publishedLists.$inferSelect, 'tenantId' | 'listId' | 'version'>

export interface NewVersion {
  content: VersionContent
  /** The version that it replaces; it is the next one. */
  replaces: number
  /** The changes that it shows. */
  shows: string[]
}

/** Publishes the next version of a list. False, and nothing happens, when another one was published meanwhile. */
export async function publishVersion(
  tx: Writer,
  tenantId: string,
  listId: string,
  { content, replaces, shows }: NewVersion,
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
  await removeChanges(tx, { tenantId, ids: shows })
  return true
}

const removeChanges = prepared('remove_status_changes', (tx) =>
  tx.delete(statusChanges).where(and(eq(statusChanges.tenantId, param('tenantId')), oneOf(statusChanges.id, 'ids'))),
)

/**
 * For one who ends a certificate, and holds it: the lists that it has signed are signed anew, within seconds, by another. Whoever
 * publishes with it meanwhile has committed before, or is refused.
 */
export async function endSignaturesOf(tx: Writer, tenantId: string, signerId: string, at: Date): Promise<void> {
  const rows = await tx
    .select({ listId: publishedLists.listId })
    .from(publishedLists)
    .where(and(eq(publishedLists.tenantId, tenantId), eq(publishedLists.signerId, signerId)))
  await noteChanges(
    tx,
    tenantId,
    rows.map(({ listId }) => listId),
    at,
  )
}

/** The same for one who retires the keys of the tenant's DID, and holds them: all lists that no certificate has signed. */
export async function signListsAnew(tx: Writer, tenantId: string, at: Date): Promise<void> {
  const rows = await tx
    .select({ listId: publishedLists.listId })
    .from(publishedLists)
    .where(and(eq(publishedLists.tenantId, tenantId), isNull(publishedLists.signerId)))
  await noteChanges(
    tx,
    tenantId,
    rows.map(({ listId }) => listId),
    at,
  )
}

/** A list that nobody can sign any more is not published again: what it says is about credentials that are over. */
export async function endPublication(tx: Writer, tenantId: string, listId: string): Promise<void> {
  await tx
    .update(publishedLists)
    .set({ renewAt: null })
    .where(and(eq(publishedLists.tenantId, tenantId), eq(publishedLists.listId, listId)))
  await tx.delete(statusChanges).where(and(eq(statusChanges.tenantId, tenantId), eq(statusChanges.listId, listId)))
}
