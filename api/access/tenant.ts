import type { Context } from 'koa'
import { findTenantRowByHost, type TenantRow } from '../../db/repos/tenancy/tenants.ts'
import type { Config } from '../../shared/config.ts'
import { Problem } from '../../shared/errors.ts'
import { normalHost } from '../../shared/normal-host.ts'
import type { Deps } from '../deps.ts'
import { isTrusted } from './client-address.ts'
import type { Tenant } from './subjects.ts'

/** The tenant that the request's host names, or undefined; as it was a second ago at most. */
export async function findTenantByHost(deps: Deps, ctx: Context): Promise<Tenant | undefined> {
  const known = findKnownTenant(deps, ctx)
  const host = known ? undefined : hostOf(ctx, deps.config)
  if (!host) return known
  const row = await findTenantRowByHost(deps.db.read, host)
  if (!row) return undefined
  const tenant = toTenant(row, deps.config, host)
  deps.caches.tenants.set(host, tenant)
  return tenant
}

/** The same without a question to the database: undefined also where one is due. */
export function findKnownTenant({ caches, config }: Deps, ctx: Context): Tenant | undefined {
  const host = hostOf(ctx, config)
  return host ? caches.tenants.get(host) : undefined
}

/** Says where the operation, or anything, is served instead. */
export function refuseHost(
  { config }: Deps,
  found: Tenant | undefined,
  { host = 'tenant' }: { host?: string },
): Problem {
  const { platformHost, platformDomain } = config
  const ofTenants = `the host of a tenant, {subdomain}.${platformDomain} or one of its aliases`
  if (!found) {
    // The Host header is not repeated: the sender chose it.
    const message = `No tenant has this host. Use ${ofTenants}; the platform is at ${platformHost}`
    return new Problem('not_found', { message })
  }
  const right = host === 'platform' ? `the host of the platform, ${platformHost}` : ofTenants
  return new Problem('not_found', { message: `This is not served at this host: ask at ${right}` })
}

/** Called after this process changed a tenant. */
export function forgetTenants({ caches }: Deps): void {
  caches.tenants.clear()
  caches.metadata.clear()
}

export function toTenant(row: TenantRow, config: Config, host = row.canonicalHost): Tenant {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    host,
    baseUrl: `${config.publicScheme}://${row.canonicalHost}`,
    did: row.did,
    settings: row.settings,
    profile: row.settings.profile,
  }
}

/** The host that was asked for, in lower case, without the scheme's own port. A proxy's word counts if it is trusted. */
function hostOf(ctx: Context, config: Config): string | undefined {
  const forwarded = isTrusted(ctx.req.socket.remoteAddress, config.trustedProxies) && ctx.headers['x-forwarded-host']
  const host = (typeof forwarded === 'string' && forwarded.split(',')[0]?.trim()) || ctx.headers.host
  return host && normalHost(host, config.publicScheme)
}
