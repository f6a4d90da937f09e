import type { Context } from 'koa'
import { isGoneHost, type ViewRow } from '../../db/repos/issuance/views.ts'
import { addTenantSecret, findTenantWithViews, type TenantRow } from '../../db/repos/tenancy/tenants.ts'
import { answersReadsOnly } from '../../db/tables/tenancy/tenants.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { normalHost } from '../../shared/normal-host.ts'
import type { Config } from '../../shared/settings/config.ts'
import type { Deps } from '../deps.ts'
import { changesTenant, type Route } from '../http/route.ts'
import { defineCache } from '../process/caches.ts'
import { isTrusted } from './client-address.ts'
import type { Tenant } from './subjects.ts'
import { findThroughView, throughView, unknownView } from './views.ts'

/** A change by another process is visible after this time. A process that changes a tenant clears its own cache at once. */
const tenantTtlMs = 1_000

/** Tenants by host. Expired ones stay for events of requests that cannot read their tenant. */
export const tenantsCache = defineCache<string, Tenant>('tenants', {
  max: 1_000,
  ttl: tenantTtlMs,
  noDeleteOnStaleGet: true,
})

/**
 * Finds the tenant of the requested host, as seen through the requested view. The result can be up to one second old. Throws `gone` or
 * `not_found` for an unknown view.
 */
export async function findTenantByHost(deps: Deps, ctx: Context): Promise<Tenant | undefined> {
  const host = hostOf(ctx, deps.config)
  const tenant = host === undefined ? undefined : await findAtHost(deps, host)
  if (!tenant) return undefined
  const throughRequestedView = findThroughView(ctx, tenant)
  if (!throughRequestedView) throw await unknownView(deps, ctx, tenant)
  return throughRequestedView
}

async function findAtHost(deps: Deps, host: string): Promise<Tenant | undefined> {
  const tenants = deps.caches.of(tenantsCache)
  const cachedTenant = tenants.get(host)
  if (cachedTenant) return cachedTenant
  const withViews = await findTenantWithViews(deps.db.read, host)
  if (!withViews) {
    tenants.delete(host)
    return undefined
  }
  const { views } = withViews
  const row = withViews.tenant.sealedSecret === null ? await withSecret(deps, withViews.tenant) : withViews.tenant
  const isOfView = views.some((view) => view.host === host)
  const isHostOfGoneView = host !== row.canonicalHost && !isOfView && (await isGoneHost(deps.db.read, row.id, host))
  const tenant = { ...toTenant(row, deps.config, { host, views }), isHostOfGoneView }
  tenants.set(host, tenant)
  return tenant
}

/**
 * Gives a tenant of an older version its secret before any request of this process uses it. A tenant that moves gets none, because it
 * is read-only. While the database accepts no changes, requests are served without it.
 */
async function withSecret({ db, secrets, log }: Deps, row: TenantRow): Promise<TenantRow> {
  try {
    const changed = await db.tx((tx) => addTenantSecret(tx, row.id, secrets.newTenantSecret(row.id)))
    return changed ?? row
  } catch (err) {
    log.warn({ err, tenantId: row.id }, 'secret of the tenant not stored')
    return row
  }
}

/** Finds the tenant of the requested host in the cache. Returns undefined if the tenant is not cached, even if it exists. */
export function findKnownTenant({ caches, config }: Deps, ctx: Context): Tenant | undefined {
  const host = hostOf(ctx, config)
  const tenant = host ? caches.of(tenantsCache).get(host) : undefined
  return tenant && findThroughView(ctx, tenant)
}

/** Finds the tenant that the requested host had when this process last read it. */
export function findLastTenant({ caches, config }: Deps, ctx: Context): Tenant | undefined {
  const host = hostOf(ctx, config)
  return host ? caches.of(tenantsCache).get(host, { allowStale: true }) : undefined
}

/** Returns the problem for a host that does not serve the operation. The message names the right host. */
export function refuseHost(
  { config }: Deps,
  tenant: Tenant | undefined,
  { host = 'tenant' }: { host?: string },
): Problem {
  const { platformHost, platformDomain } = config
  const ofTenants = `the host of a tenant, {subdomain}.${platformDomain} or one of its aliases`
  if (!tenant) {
    // The Host header is not repeated: the sender chose it.
    const message = `No tenant has this host. Use ${ofTenants}. The platform is at ${platformHost}.`
    return new Problem('not_found', { message })
  }
  if (tenant.view) {
    const message = `A view serves only the endpoints for wallets. Use ${tenant.baseUrl}.`
    return new Problem('not_found', { message })
  }
  const right = host === 'platform' ? `the host of the platform, ${platformHost}` : ofTenants
  return new Problem('not_found', { message: `This host does not serve this operation. Use ${right}.` })
}

/** The move of a tenant takes hours. Programs that repeat requests should not wait for its end. */
const retryAfterMoveSeconds = 3_600

/** Throws `service_unavailable` if the tenant is read-only and the operation changes it. */
export function requireChangeable(route: Route, { isReadOnly }: Tenant): void {
  if (isReadOnly && changesTenant(route)) throw readOnly()
}

/** Throws `service_unavailable` if the tenant is read-only, for an operation of the platform that changes it. */
export function refuseMoving({ state }: TenantRow): void {
  if (answersReadsOnly({ state })) throw readOnly()
}

function readOnly(): Problem {
  const message =
    'This tenant moves to another installation and can only be read until then. Try again later, or ask the operator of the platform.'
  return new Problem('service_unavailable', { message, retryAfterSeconds: retryAfterMoveSeconds })
}

/** Removes what this process caches of a tenant. Call it after this process has changed or deleted the tenant. */
export function forgetTenant({ caches }: Deps, tenantId: string): void {
  caches.of(tenantsCache).clear()
  caches.forgetTenant(tenantId)
}

export function toTenant(
  row: TenantRow,
  config: Config,
  { host = row.canonicalHost, views = [] }: { host?: string; views?: ViewRow[] } = {},
): Tenant {
  const baseUrl = `${config.publicScheme}://${row.canonicalHost}`
  const throughViews: Tenant[] = []
  const tenant: Tenant = {
    id: row.id,
    kind: row.kind,
    name: row.name,
    host,
    baseUrl,
    issuer: baseUrl,
    ...{ view: undefined, throughViews },
    did: row.did,
    settings: row.settings,
    profile: row.settings.profile,
    sealedSecret: row.sealedSecret,
    isReadOnly: answersReadsOnly(row),
  }
  throughViews.push(...views.map((view) => throughView(tenant, view)))
  return tenant
}

/** Returns the requested host in lower case, without the default port. Uses `X-Forwarded-Host` only from a trusted proxy. */
function hostOf(ctx: Context, config: Config): string | undefined {
  const forwarded = isTrusted(ctx.req.socket.remoteAddress, config.trustedProxies) && ctx.headers['x-forwarded-host']
  const host = (typeof forwarded === 'string' && forwarded.split(',')[0]?.trim()) || ctx.headers.host
  return host && normalHost(host, config.publicScheme)
}
