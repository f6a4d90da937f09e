import { eq } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Writer } from './client.ts'
import { dialect } from './columns.ts'
import { param, prepared } from './engine/prepared.ts'
import { rowQuery, type TenantTable } from './find-row.ts'
import { tenants } from './tables/tenancy/tenants.ts'

/**
 * Locks rows that a transaction reads before it writes. PostgreSQL runs transactions at READ COMMITTED: another
 * transaction can change or delete a row between the read and the write. A locked row does not change until the
 * transaction ends. Reads after the lock see what the previous owner of the lock committed. SQLite has one writer at a
 * time, so a plain read is enough there.
 *
 * A single statement that checks and writes needs no lock. Examples are an update or delete with its conditions, and an
 * insert under a unique index. A DELETE locks like `hold`. To protect a row that is in use: delete it first, then check
 * the use, and roll back if the row is in use.
 *
 * Each transaction takes its locks in this order, and several rows of one table by id. If two transactions lock in
 * opposite order, PostgreSQL aborts one of them, and `Database.tx` runs it again.
 *
 *   approval, bulk request, tenant, link to the console, code of a program, client, key, certificate (authorities before the certificates
 *   under them), DID, authentication provider, provider of the console, session of the console, claim source, context, configuration,
 *   view, authorization server, OAuth client, bulk issuance, user, offer, authorization, pushed request, refresh token, session, issuance, claim
 *   link, stored credential,
 *   credential, signed credential, status entry, holder application, ecosystem, participant, evidence, configuration of trusted lists,
 *   queue of outgoing messages, inbox, webhook, delivery, outbox, days of issuances, and last, by tenant, the heads of audits
 *
 * One exception: a use of a claim link locks the bulk issuance of the link shared, after the offer and the link
 * (repos/issuance/claim-links/active-bulk.ts).
 * So a transaction that holds a bulk issuance with `hold` or deletes it locks no offer and no existing claim link. `holdColumns` does not
 * conflict with the shared lock.
 */

/**
 * Locks and returns a row (FOR UPDATE). Use it if a decision depends on the row or on rows that refer to it. Until the
 * transaction ends, no other transaction can change, delete or lock the row, nor lock it shared. Returns undefined if
 * the row does not exist.
 */
export async function hold<Table extends TenantTable>(
  tx: Writer,
  table: Table,
  tenantId: string,
  id: string,
): Promise<Table['$inferSelect'] | undefined> {
  const [row] = await rowQuery(table, 'update')(tx, { tenantId, id })
  return row
}

/**
 * Locks and returns a row (FOR NO KEY UPDATE). Use it if a decision depends on the row, while other transactions may
 * write rows that refer to it (`holdShared`). Until the transaction ends, no other transaction can change, delete or
 * lock the row. Returns undefined if the row does not exist.
 */
export async function holdColumns<Table extends TenantTable>(
  tx: Writer,
  table: Table,
  tenantId: string,
  id: string,
): Promise<Table['$inferSelect'] | undefined> {
  const [row] = await rowQuery(table, 'no key update')(tx, { tenantId, id })
  return row
}

/**
 * Locks and returns a row (FOR KEY SHARE). Use it before a write of rows that refer to it. Until the transaction ends,
 * no other transaction can delete the row or lock it with `hold`. Many transactions can share the lock, so a row with
 * thousands of references, such as a configuration, delays none of them. Columns may change, unless the writer of the
 * columns uses `hold`. Returns undefined if the row does not exist.
 */
export async function holdShared<Table extends TenantTable>(
  tx: Writer,
  table: Table,
  tenantId: string,
  id: string,
): Promise<Table['$inferSelect'] | undefined> {
  const [row] = await rowQuery(table, 'key share')(tx, { tenantId, id })
  return row
}

/**
 * Adds the lock of `holdShared` to a sub-select of a statement that checks another row while it writes. The statement
 * waits for a transaction that deletes the row, and then does not find the row.
 */
export function shared<Rows extends SubSelect>(rows: Rows, table: PgTable): Rows {
  // `for` changes the query itself and returns it.
  if (dialect === 'postgres') rows.for('key share', { of: table })
  return rows
}

interface SubSelect {
  for(strength: 'key share', config: { of: PgTable }): unknown
}

/** Locks the row of the tenant like `hold`. Use it to change the row or an object that a tenant has only once. */
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
