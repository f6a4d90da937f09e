import { and, eq, getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Writer } from './client.ts'
import { dialect, inRow } from './columns.ts'
import { param, prepared } from './engine/prepared.ts'
import { tenants } from './tables/tenancy/tenants.ts'

/**
 * What is read in order to write is held. PostgreSQL runs transactions at READ COMMITTED: what one read can be changed or
 * removed by another before the first one writes. A row that is held stays as it was returned until the transaction ends,
 * and whatever is read after it was held sees what the one that held it before had committed. On SQLite there is one writer
 * at a time, so that a plain read holds.
 *
 * Nothing has to be held for a single statement that judges and writes at once: an update or delete with its conditions,
 * an insert under a unique index. A DELETE holds like `hold` from then on: what must not be deleted while it is in use is
 * deleted first and asked about then, and the transaction is rolled back when it was in use.
 *
 * The order of locks, in which every transaction takes as many of them as it needs; of several rows of one table, by id.
 * Where two do meet the other way round, PostgreSQL ends one of them, and `Database.tx` runs it again.
 *
 *   bulk request, tenant, link to the console, client, key, certificate (authorities before those under them), DID, authentication provider,
 *   provider of the console, session of the console, claim source, context, configuration, OAuth client, user, offer, authorization, pushed request, refresh token, session, issuance, stored credential, credential,
 *   signed credential, template of presentations, status entry, configuration of status lists, holder application, ecosystem, participant, evidence, configuration of trusted lists, line of outgoing messages,
 *   inbox, webhook, delivery, outbox, days of issuances, and last, by tenant, the heads of audits
 */

type HeldTable = PgTable & { tenantId: PgColumn; id: PgColumn }
type Strength = 'update' | 'no key update' | 'key share'

/**
 * The row, for one who decides by what it says, or by what refers to it: until the transaction ends nobody else changes or
 * removes it, holds it, or shares it. Undefined when there is none.
 */
export async function hold<Table extends HeldTable>(
  tx: Writer,
  table: Table,
  tenantId: string,
  id: string,
): Promise<Table['$inferSelect'] | undefined> {
  const [row] = await query(table, 'update')(tx, { tenantId, id })
  return row
}

/**
 * The row, for one who decides by what it says, while others may write what refers to it (`holdShared`): until the transaction ends nobody else
 * changes, removes or holds it. Undefined when there is none.
 */
export async function holdColumns<Table extends HeldTable>(
  tx: Writer,
  table: Table,
  tenantId: string,
  id: string,
): Promise<Table['$inferSelect'] | undefined> {
  const [row] = await query(table, 'no key update')(tx, { tenantId, id })
  return row
}

/**
 * The row, for one who writes something that refers to it: until the transaction ends nobody removes or holds it. Any number
 * may share it at once, so that a row to which thousands refer, such as a configuration, delays none of them. Columns may
 * change meanwhile, unless whoever changes them holds the row. Undefined when there is none.
 */
export async function holdShared<Table extends HeldTable>(
  tx: Writer,
  table: Table,
  tenantId: string,
  id: string,
): Promise<Table['$inferSelect'] | undefined> {
  const [row] = await query(table, 'key share')(tx, { tenantId, id })
  return row
}

/**
 * As `holdShared`, for a statement that judges another row while it writes: the rows of `table` that its sub-select finds. One
 * that somebody is removing is waited for, and then not found.
 */
export function shared<Rows extends SubSelect>(rows: Rows, table: PgTable): Rows {
  // It is the query itself that takes it, and is returned by `for`.
  if (dialect === 'postgres') rows.for('key share', { of: table })
  return rows
}

interface SubSelect {
  for(strength: 'key share', config: { of: PgTable }): unknown
}

/** The tenant itself, as `hold`: for its own row, and for what it has one of at a time. */
export async function holdTenant(tx: Writer, tenantId: string): Promise<typeof tenants.$inferSelect | undefined> {
  const [row] = await heldTenant(tx, { tenantId })
  return row
}

const heldTenant = prepared('hold_tenant', (tx) => {
  const row = tx
    .select()
    .from(tenants)
    .where(eq(tenants.id, param('tenantId')))
  return dialect === 'postgres' ? row.for('update') : row
})

type Query<Table extends HeldTable> = ReturnType<typeof prepared<Table['$inferSelect'][]>>

/** By the table: a query is built for each one once, and prepared on each connection by `prepared`. */
const queries = new WeakMap<HeldTable, Map<Strength, unknown>>()

function query<Table extends HeldTable>(table: Table, strength: Strength): Query<Table> {
  const ofTable = queries.get(table) ?? new Map()
  queries.set(table, ofTable)
  const known = ofTable.get(strength) ?? build(table, strength)
  ofTable.set(strength, known)
  return known
}

function build(table: HeldTable, strength: Strength) {
  return prepared(`hold_${getTableName(table)}_${strength.replaceAll(' ', '_')}`, (tx) => {
    const row = tx
      .select()
      .from(table)
      .where(and(inRow(table.tenantId, param('tenantId')), eq(table.id, param('id'))))
    return dialect === 'postgres' ? row.for(strength) : row
  })
}
