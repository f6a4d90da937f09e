import { and, asc, eq, lt, ne, type SQL, sql } from 'drizzle-orm'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Reader, Writer } from '../../client.ts'
import { oneOf } from '../../columns.ts'
import { constant, param, prepared } from '../../engine/prepared.ts'
import { addToOutbox } from '../../outbox.ts'
import { afterCursor, type Cursor } from '../../page.ts'
import { views } from '../../tables/issuance/views.ts'
import { clients } from '../../tables/tenancy/clients.ts'
import { tenantHosts } from '../../tables/tenancy/tenant-hosts.ts'
import { type TenantKind, type TenantSettings, tenants } from '../../tables/tenancy/tenants.ts'
import { type AuditHead, beginAudit, endAudit } from '../operations/audit/audit.ts'

export type TenantRow = typeof tenants.$inferSelect

/** Finds tenants that answer requests. `isServed` of the table does the same for a row. */
export const isServedRow: SQL = sql`${tenants.state} in (${constant('active')}, ${constant('moving')}, ${constant('moved')})`

const byHost = prepared('tenant_by_host', (db) =>
  db
    .select({ tenant: tenants })
    .from(tenantHosts)
    .innerJoin(tenants, eq(tenants.id, tenantHosts.tenantId))
    .where(and(eq(tenantHosts.host, param('host')), isServedRow)),
)

/** Returns the tenant of a host if the tenant answers requests. */
export async function findTenantRowByHost(db: Reader, host: string): Promise<TenantRow | undefined> {
  const [row] = await byHost(db, { host })
  return row?.tenant
}

const withViewsByHost = prepared('tenant_with_views_by_host', (db) =>
  db
    .select({ tenant: tenants, view: views })
    .from(tenantHosts)
    .innerJoin(tenants, eq(tenants.id, tenantHosts.tenantId))
    .leftJoin(views, eq(views.tenantId, tenants.id))
    .where(and(eq(tenantHosts.host, param('host')), isServedRow)),
)

/** Returns the tenant of a host with its views, if the tenant answers requests. */
export async function findTenantWithViews(
  db: Reader,
  host: string,
): Promise<{ tenant: TenantRow; views: (typeof views.$inferSelect)[] } | undefined> {
  const rows = await withViewsByHost(db, { host })
  const tenant = rows[0]?.tenant
  return tenant && { tenant, views: rows.flatMap(({ view }) => view ?? []) }
}

export async function findTenant(db: Reader, id: string): Promise<TenantRow | undefined> {
  const [row] = await db.select().from(tenants).where(eq(tenants.id, id))
  return row
}

/** Returns the settings of all active tenants and of the platform. */
export async function findAllSettings(db: Reader): Promise<{ tenantId: string; settings: TenantSettings }[]> {
  return db
    .select({ tenantId: tenants.id, settings: tenants.settings })
    .from(tenants)
    .where(eq(tenants.state, 'active'))
}

/** Returns the tenant in any state. The subdomain of the platform is `platform`. */
export async function findTenantBySubdomain(db: Reader, subdomain: string): Promise<TenantRow | undefined> {
  const [row] = await db.select().from(tenants).where(eq(tenants.subdomain, subdomain))
  return row
}

const existing = prepared('existing_tenants', (db) =>
  db
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(oneOf(tenants.id, 'ids'), ne(tenants.state, constant('deleting')))),
)

/** Returns which of the tenants exist and are not being deleted. Only these get new rows. */
export async function findExistingTenants(db: Reader, ids: string[]): Promise<Set<string>> {
  const rows = await existing(db, { ids })
  return new Set(rows.map(({ id }) => id))
}

export async function findHosts(db: Reader, tenantId: string): Promise<string[]> {
  const rows = await db.select({ host: tenantHosts.host }).from(tenantHosts).where(eq(tenantHosts.tenantId, tenantId))
  return rows.map(({ host }) => host)
}

/** Returns the id of the platform. Returns undefined before the first start. */
export async function findPlatformId(db: Reader): Promise<string | undefined> {
  const [row] = await db
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.subdomain, 'platform'), eq(tenants.kind, 'platform')))
  return row?.id
}

/** Returns the tenants that answer requests, without the platform. */
export async function listTenants(db: Reader, limit: number, cursor: Cursor | undefined): Promise<TenantRow[]> {
  return db
    .select()
    .from(tenants)
    .where(and(eq(tenants.kind, 'tenant'), isServedRow, afterCursor(tenants.createdAt, tenants.id, cursor)))
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

/** Inserts a tenant, which answers requests once it is provisioned. Returns undefined if the subdomain is taken. */
export async function insertTenant(tx: Writer, tenant: NewTenant, at: Date): Promise<TenantRow | undefined> {
  const [row] = await tx
    .insert(tenants)
    .values({ id: newOrderedId(at), state: 'provisioning', createdAt: at, ...tenant })
    .onConflictDoNothing()
    .returning()
  if (row) await beginAudit(tx, row.id)
  return row
}

/** Inserts those of the hosts that no other tenant has. Returns them. */
export async function insertHosts(tx: Writer, tenantId: string, hosts: string[]): Promise<string[]> {
  if (hosts.length === 0) return []
  const rows = await tx
    .insert(tenantHosts)
    .values(hosts.map((host) => ({ host, tenantId })))
    .onConflictDoNothing()
    .returning({ host: tenantHosts.host })
  return rows.map(({ host }) => host)
}

export async function deleteHosts(tx: Writer, tenantId: string): Promise<void> {
  await tx.delete(tenantHosts).where(eq(tenantHosts.tenantId, tenantId))
}

/** Makes a tenant active that is being provisioned, with its secret. Returns false if it is not being provisioned. */
export async function activateTenant(tx: Writer, id: string, sealedSecret: string): Promise<boolean> {
  const rows = await tx
    .update(tenants)
    .set({ state: 'active', sealedSecret })
    .where(and(eq(tenants.id, id), eq(tenants.state, 'provisioning')))
    .returning({ id: tenants.id })
  return rows.length === 1
}

/**
 * Gives an active tenant of an older version its secret, unless another process has done so. Returns the tenant, or undefined if it is not
 * active.
 */
export async function addTenantSecret(tx: Writer, id: string, sealedSecret: string): Promise<TenantRow | undefined> {
  const isActive = and(eq(tenants.id, id), eq(tenants.state, 'active'))
  const [row] = await tx
    .update(tenants)
    .set({ sealedSecret: sql`coalesce(${tenants.sealedSecret}, ${sealedSecret})` })
    .where(isActive)
    .returning()
  return row
}

export async function updateTenant(
  tx: Writer,
  id: string,
  changes: { name: string; settings: TenantSettings },
): Promise<TenantRow | undefined> {
  const [row] = await tx.update(tenants).set(changes).where(eq(tenants.id, id)).returning()
  return row
}

/**
 * Deletes a tenant that was never provisioned and owns almost no rows. Returns false if the tenant was provisioned or
 * does not exist.
 */
export async function deleteUnprovisioned(tx: Writer, id: string, at: Date): Promise<boolean> {
  return (await startDeletion(tx, and(eq(tenants.id, id), eq(tenants.state, 'provisioning')), at)) !== undefined
}

/** Returns tenants that have stayed unprovisioned, because the process that requested them died. */
export async function findUnprovisioned(db: Reader, before: Date): Promise<string[]> {
  const rows = await db
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.state, 'provisioning'), lt(tenants.createdAt, before)))
  return rows.map(({ id }) => id)
}

/**
 * Starts the deletion of a tenant. Deletes its name, hosts, clients and audit head, and returns the head. A job of the
 * outbox removes the other rows, possibly millions, and then the row of the tenant. Returns undefined if the tenant
 * does not exist.
 */
export async function deleteTenant(
  tx: Writer,
  id: string,
  at: Date,
): Promise<{ auditHead: AuditHead | undefined } | undefined> {
  return startDeletion(tx, and(eq(tenants.id, id), eq(tenants.kind, 'tenant'), isServedRow), at)
}

async function startDeletion(
  tx: Writer,
  which: SQL | undefined,
  at: Date,
): Promise<{ auditHead: AuditHead | undefined } | undefined> {
  const [row] = await tx
    .update(tenants)
    // No host can have such a name, so the subdomain of the tenant is free again.
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
