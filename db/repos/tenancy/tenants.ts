import { and, asc, eq, lt, ne, type SQL, sql } from 'drizzle-orm'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Reader, Writer } from '../../client.ts'
import { oneOf } from '../../columns.ts'
import { constant, param, prepared } from '../../engine/prepared.ts'
import { addToOutbox } from '../../outbox.ts'
import { afterCursor, type Cursor } from '../../page.ts'
import { clients } from '../../tables/tenancy/clients.ts'
import { tenantHosts } from '../../tables/tenancy/tenant-hosts.ts'
import { type TenantKind, type TenantSettings, tenants } from '../../tables/tenancy/tenants.ts'
import { type AuditHead, beginAudit, endAudit } from '../operations/audit.ts'

export type TenantRow = typeof tenants.$inferSelect

const byHost = prepared('tenant_by_host', (db) =>
  db
    .select({ tenant: tenants })
    .from(tenantHosts)
    .innerJoin(tenants, eq(tenants.id, tenantHosts.tenantId))
    .where(and(eq(tenantHosts.host, param('host')), eq(tenants.state, constant('active')))),
)

/** Only active tenants are found by host. */
export async function findTenantRowByHost(db: Reader, host: string): Promise<TenantRow | undefined> {
  const [row] = await byHost(db, { host })
  return row?.tenant
}

export async function findTenant(db: Reader, id: string): Promise<TenantRow | undefined> {
  const [row] = await db.select().from(tenants).where(eq(tenants.id, id))
  return row
}

/** The settings of all active tenants, the platform among them. */
export async function findAllSettings(db: Reader): Promise<{ tenantId: string; settings: TenantSettings }[]> {
  return db
    .select({ tenantId: tenants.id, settings: tenants.settings })
    .from(tenants)
    .where(eq(tenants.state, 'active'))
}

/** Whatever its state. The platform's subdomain is `platform`. */
export async function findTenantBySubdomain(db: Reader, subdomain: string): Promise<TenantRow | undefined> {
  const [row] = await db.select().from(tenants).where(eq(tenants.subdomain, subdomain))
  return row
}

const standing = prepared('standing_tenants', (db) =>
  db
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(oneOf(tenants.id, 'ids'), ne(tenants.state, constant('deleting')))),
)

/** Those of the ids whose tenants are there, and not being removed: nobody else gets new rows. */
export async function findStanding(db: Reader, ids: string[]): Promise<Set<string>> {
  const rows = await standing(db, { ids })
  return new Set(rows.map(({ id }) => id))
}

export async function findHosts(db: Reader, tenantId: string): Promise<string[]> {
  const rows = await db.select({ host: tenantHosts.host }).from(tenantHosts).where(eq(tenantHosts.tenantId, tenantId))
  return rows.map(({ host }) => host)
}

/** The tenant of the platform itself; absent before the first start. */
export async function findPlatformId(db: Reader): Promise<string | undefined> {
  const [row] = await db
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.subdomain, 'platform'), eq(tenants.kind, 'platform')))
  return row?.id
}

/** The active tenants, without the platform itself. */
export async function listTenants(db: Reader, limit: number, cursor: Cursor | undefined): Promise<TenantRow[]> {
  return db
    .select()
    .from(tenants)
    .where(
      and(eq(tenants.kind, 'tenant'), eq(tenants.state, 'active'), afterCursor(tenants.createdAt, tenants.id, cursor)),
    )
    .orderBy(asc(tenants.createdAt), asc(tenants.id))
    .limit(limit + 1)
}

export interface NewTenant {
  kind: TenantKind
  name: string
  subdomain: string
  canonicalHost: string
  did: string
  settings: TenantSettings
}

/** Undefined when the subdomain is taken. The tenant answers once it is provisioned. */
export async function insertTenant(tx: Writer, tenant: NewTenant, at: Date): Promise<TenantRow | undefined> {
  const [row] = await tx
    .insert(tenants)
    .values({ id: newOrderedId(at), state: 'provisioning', createdAt: at, ...tenant })
    .onConflictDoNothing()
    .returning()
  if (row) await beginAudit(tx, row.id)
  return row
}

/** The hosts of `wanted` that could be taken; a host belongs to one tenant. */
export async function insertHosts(tx: Writer, tenantId: string, wanted: string[]): Promise<string[]> {
  if (wanted.length === 0) return []
  const rows = await tx
    .insert(tenantHosts)
    .values(wanted.map((host) => ({ host, tenantId })))
    .onConflictDoNothing()
    .returning({ host: tenantHosts.host })
  return rows.map(({ host }) => host)
}

export async function deleteHosts(tx: Writer, tenantId: string): Promise<void> {
  await tx.delete(tenantHosts).where(eq(tenantHosts.tenantId, tenantId))
}

/** False when the tenant is not (any more) being provisioned. */
export async function activateTenant(tx: Writer, id: string): Promise<boolean> {
  const rows = await tx
    .update(tenants)
    .set({ state: 'active' })
    .where(and(eq(tenants.id, id), eq(tenants.state, 'provisioning')))
    .returning({ id: tenants.id })
  return rows.length === 1
}

export async function updateTenant(
  tx: Writer,
  id: string,
  changes: { name: string; settings: TenantSettings },
): Promise<TenantRow | undefined> {
  const [row] = await tx.update(tenants).set(changes).where(eq(tenants.id, id)).returning()
  return row
}

/** Removes a tenant that was never provisioned, and has next to nothing; false when it was, or is gone. */
export async function deleteUnprovisioned(tx: Writer, id: string, at: Date): Promise<boolean> {
  return (await startDeletion(tx, and(eq(tenants.id, id), eq(tenants.state, 'provisioning')), at)) !== undefined
}

/** Tenants that nobody provisioned, because the process that asked for it died. */
export async function findUnprovisioned(db: Reader, before: Date): Promise<string[]> {
  const rows = await db
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.state, 'provisioning'), lt(tenants.createdAt, before)))
  return rows.map(({ id }) => id)
}

/**
 * Ends a tenant at once: it has no name, no host, no client and no head of its audit any more, which is returned. The job of the
 * outbox takes away what else it owns, of which there may be millions, and then its row. Undefined when there is none.
 */
export async function deleteTenant(
  tx: Writer,
  id: string,
  at: Date,
): Promise<{ auditHead: AuditHead | undefined } | undefined> {
  return startDeletion(tx, and(eq(tenants.id, id), eq(tenants.kind, 'tenant'), eq(tenants.state, 'active')), at)
}

async function startDeletion(
  tx: Writer,
  which: SQL | undefined,
  at: Date,
): Promise<{ auditHead: AuditHead | undefined } | undefined> {
  const [row] = await tx
    .update(tenants)
    // No host can have such a name: the tenant's own is free.
    .set({ state: 'deleting', subdomain: sql`'/' || ${tenants.id}` })
    .where(which)
    .returning({ id: tenants.id })
  if (!row) return undefined
  const auditHead = await endAudit(tx, row.id)
  await deleteHosts(tx, row.id)
  await tx.delete(clients).where(eq(clients.tenantId, row.id))
  await addToOutbox(tx, 'removeTenant', [{ id: row.id, payload: { tenantId: row.id } }], at)
  return { auditHead }
}
