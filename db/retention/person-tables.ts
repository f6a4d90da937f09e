import { and, asc, eq, getTableColumns, inArray, or } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader } from '../client.ts'
import { chunksOf } from '../repos/chunks.ts'
import { listEvents } from '../repos/operations/search/events.ts'
import { deliveryIdsOf } from '../repos/operations/webhooks/deliveries.ts'
import { findWebhookIdsOf } from '../repos/operations/webhooks/webhooks.ts'
import { storedCredentialTypes } from '../tables/credentials/stored-credentials.ts'
import { bulkRows } from '../tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../tables/issuance/claim-links.ts'
import { credentials } from '../tables/issuance/credentials.ts'
import { userClaimTerms } from '../tables/issuance/user-claim-terms.ts'
import { deliveries } from '../tables/operations/deliveries.ts'
import { events } from '../tables/operations/events.ts'
import { statusEntries } from '../tables/status/entries.ts'
import { findLinkedRows } from './bulk-rows.ts'
import { retentionRules } from './retention-table.ts'
import { dependentsOf, idColumn } from './table-rules.ts'
import { findOwnOfferIds } from './timeline.ts'

export interface Person {
  tenantId: string
  userId: string
}

export type PersonRow = Record<string, unknown>

/** A table with rows about people, and how the rows about one person are read. */
export interface PersonTable {
  table: PgTable
  /** Returns the rows about the person in portions. Each portion is a query of its own, so no transaction stays open between them. */
  read(db: Reader, person: Person): AsyncIterable<PersonRow[]>
}

/** Tables whose rows only repeat values of other rows of the person, for searches. */
export const searchTables: readonly PgTable[] = [userClaimTerms, storedCredentialTypes]

/** The rows of a portion. A row has up to some hundred kilobytes, such as a stored credential with a portrait. */
const portionRows = 50

/**
 * The tables with rows about a person: those of which an erasure removes or empties rows (erasure.ts). Most of them follow from the
 * retention table.
 */
export const personTables: readonly PersonTable[] = [
  ...retentionRules.flatMap(({ table, tenant, user }): PersonTable[] =>
    tenant && user
      ? [
          { table, read: table === bulkRows ? readBulkRows : (db, of) => readOwn(db, table, { tenant, user }, of) },
          ...dependentsOf(table).map((dependent) => ({
            table: dependent.table,
            read: (db: Reader, of: Person) => readDependents(db, { owner: table, tenant, user }, dependent, of),
          })),
        ]
      : [],
  ),
  { table: statusEntries, read: readStatusEntries },
  { table: deliveries, read: readDeliveries },
  { table: events, read: readEvents },
].filter(({ table }) => !searchTables.includes(table))

interface Owned {
  tenant: PgColumn
  user: PgColumn
}

/** Reads the ids first, because no index of most tables has the rows of a user in the order of their ids. */
async function* readOwn(db: Reader, table: PgTable, { tenant, user }: Owned, of: Person): AsyncGenerator<PersonRow[]> {
  const order = orderOf(table)
  for (const ids of chunksOf(await findIds(db, table, { tenant, user }, of), portionRows)) {
    const ofPortion = and(eq(tenant, of.tenantId), inArray(idColumn(table), ids))
    yield db
      .select()
      .from(table)
      .where(ofPortion)
      .orderBy(...order)
  }
}

async function* readDependents(
  db: Reader,
  { owner, ...owned }: Owned & { owner: PgTable },
  { table, tenant, by }: { table: PgTable; tenant: PgColumn; by: PgColumn },
  of: Person,
): AsyncGenerator<PersonRow[]> {
  for (const ids of chunksOf(await findIds(db, owner, owned, of), portionRows)) {
    const ofPortion = and(eq(tenant, of.tenantId), inArray(by, ids))
    yield db.select().from(table).where(ofPortion)
  }
}

async function findIds(db: Reader, table: PgTable, { tenant, user }: Owned, of: Person): Promise<string[]> {
  const rows = await db
    .select({ id: idColumn(table) })
    .from(table)
    .where(and(eq(tenant, of.tenantId), eq(user, of.userId)))
    .orderBy(...orderOf(table))
  return rows.map(({ id }) => String(id))
}

/** The oldest row comes first. */
function orderOf(table: PgTable) {
  const { createdAt, requestedAt, issuedAt } = getTableColumns(table)
  const at = createdAt ?? requestedAt ?? issuedAt
  return [...(at ? [asc(at)] : []), asc(idColumn(table))]
}

/** Also reads the rows whose claim links the person has opened. */
async function* readBulkRows(db: Reader, { tenantId, userId }: Person): AsyncGenerator<PersonRow[]> {
  const { bulkId, row } = bulkRows
  const own = await db
    .select({ bulkId, row })
    .from(bulkRows)
    .where(and(eq(bulkRows.tenantId, tenantId), eq(bulkRows.userId, userId)))
  const linked = await findLinkedRows(db, tenantId, userId)
  const keys = new Map([...own, ...linked].map((key) => [`${key.bulkId}:${key.row}`, key]))
  for (const portion of chunksOf([...keys.values()], portionRows)) {
    const isKey = or(...portion.map((key) => and(eq(bulkId, key.bulkId), eq(row, key.row))))
    yield db
      .select()
      .from(bulkRows)
      .where(and(eq(bulkRows.tenantId, tenantId), isKey))
      .orderBy(asc(bulkId), asc(row))
  }
}

const ofCredentials = { tenant: credentials.tenantId, user: credentials.userId }

async function* readStatusEntries(db: Reader, of: Person): AsyncGenerator<PersonRow[]> {
  for (const ids of chunksOf(await findIds(db, credentials, ofCredentials, of), portionRows)) {
    const ofPortion = and(eq(statusEntries.tenantId, of.tenantId), inArray(statusEntries.credentialId, ids))
    yield db.select().from(statusEntries).where(ofPortion)
  }
}

async function* readDeliveries(db: Reader, of: Person): AsyncGenerator<PersonRow[]> {
  const { tenantId } = of
  const webhookIds = await findWebhookIdsOf(db, tenantId)
  for (const ids of chunksOf(await findIds(db, credentials, ofCredentials, of), portionRows)) {
    const issued = await db
      .select({ id: credentials.id, issuedAt: credentials.issuedAt })
      .from(credentials)
      .where(and(eq(credentials.tenantId, tenantId), inArray(credentials.id, ids)))
    for (const portion of chunksOf(deliveryIdsOf(tenantId, issued, webhookIds), portionRows)) {
      const ofPortion = and(eq(deliveries.tenantId, tenantId), inArray(deliveries.id, portion))
      yield db.select().from(deliveries).where(ofPortion).orderBy(asc(deliveries.createdAt), asc(deliveries.id))
    }
  }
}

/** Reads the events of the person's own offers, which an erasure removes, and those of changes of the person and of the person's objects. */
async function* readEvents(db: Reader, of: Person): AsyncGenerator<PersonRow[]> {
  for (const id of await findOwnOfferIds(db, of.tenantId, of.userId)) yield* listAll(db, of, { offerIds: [id] })
  const linkIds = await findIds(db, claimLinks, { tenant: claimLinks.tenantId, user: claimLinks.userId }, of)
  const objectIds = [of.userId, ...linkIds, ...(await findIds(db, credentials, ofCredentials, of))]
  for (const id of objectIds) yield* listAll(db, of, { objectIds: [id] })
}

async function* listAll(
  db: Reader,
  { tenantId }: Person,
  filters: Parameters<typeof listEvents>[2],
): AsyncGenerator<PersonRow[]> {
  for (let cursor: Parameters<typeof listEvents>[4]; ; ) {
    const { rows, next } = await listEvents(db, tenantId, filters, portionRows, cursor)
    yield rows.map(({ position: _position, ...event }) => event)
    if (!next) return
    cursor = next
  }
}
