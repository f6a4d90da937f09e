import { changesBy } from '../../../db/repos/operations/audit/audited.ts'
import { cancelTenant } from '../../../db/repos/tenancy/cancel-tenant.ts'
import { deleteOtherClients, findClient, hasSecret, insertClient } from '../../../db/repos/tenancy/clients.ts'
import {
  findTenantBySubdomain,
  findTenantRowByHost,
  insertHosts,
  type TenantRow,
} from '../../../db/repos/tenancy/tenants.ts'
import type { ClientFacts, DemoFacts } from '../../../shared/launcher/demo-facts.ts'
import { normalHost } from '../../../shared/normal-host.ts'
import { Misconfigured } from '../../../shared/process/dependency.ts'
import { toTenant } from '../../access/tenant.ts'
import { type CreateDeps, createTenant, type TenantToCreate } from './create.ts'

interface Secret {
  clientId: string
  clientSecret: string
}

/**
 * Creates the tenant of the platform and its client, unless they exist. Returns the client in `known` if its secret is valid.
 * Otherwise creates a new client, because secrets are stored as hashes. It is safe to repeat after an interruption.
 */
export async function ensurePlatform(deps: CreateDeps, storedSecret: Secret | undefined): Promise<ClientFacts> {
  const { config } = deps
  const host = normalHost(config.platformHost, config.publicScheme)
  const existing = await findFinished(deps, 'platform')
  const request = { kind: 'platform' as const, name: 'Platform', subdomain: 'platform', aliases: [], settings: {} }
  const { tenant, secret } = await ensure(deps, existing, request, storedSecret)
  // PLATFORM_HOST or its port can have changed.
  const taken = await deps.db.tx((tx) => insertHosts(tx, tenant.id, [host]))
  const holder = taken.length === 1 ? tenant : await findTenantRowByHost(deps.db.read, host)
  if (holder?.id !== tenant.id)
    throw new Misconfigured(`PLATFORM_HOST is ${host}, which is the host of a tenant. Set another host.`)
  return { baseUrl: `${config.publicScheme}://${host}`, ...secret }
}

/** Creates a client of the platform and deletes all others, whose tokens become invalid at once. Returns the number of deleted clients. */
export async function replacePlatformClients(deps: CreateDeps): Promise<{ client: ClientFacts; deleted: number }> {
  const client = await ensurePlatform(deps, undefined)
  const platform = await findTenantBySubdomain(deps.db.read, 'platform')
  if (!platform) throw new Error('the platform was removed at the same time')
  const others = await changesBy(deps, { event: 'TENANT_CLIENT_DELETE' })(async (tx, record) => {
    const ids = await deleteOtherClients(tx, platform.id, client.clientId)
    record(platform.id, { ids })
    return ids
  })
  return { client, deleted: others.length }
}

/** Creates the demo tenant at `localhost:PORT` with an `admin` client and a root certificate. `known` is used as for the platform. */
export async function ensureDemo(
  deps: CreateDeps,
  storedSecret: Secret | undefined,
): Promise<Omit<DemoFacts, 'platform'>> {
  const { port, publicScheme, platformDomain } = deps.config
  // With https the service is not reached at localhost.
  const aliases = publicScheme === 'http' ? [`localhost:${port}`, `127.0.0.1:${port}`] : []
  const existing = await findTenantRowByHost(deps.db.read, aliases[0] ?? `demo.${platformDomain}`)
  // The host of a tenant is permanent, so each port has its own demo tenant.
  const subdomain = (await findFinished(deps, 'demo')) ? `demo-${port}` : 'demo'
  if (!existing) await findFinished(deps, subdomain)
  const request = {
    kind: 'tenant' as const,
    name: 'Demo',
    subdomain,
    aliases,
    settings: { publicClients: true },
    root: { country: 'NZ' },
  }
  const { tenant, secret } = await ensure(deps, existing, request, storedSecret)
  return { baseUrl: toTenant(tenant, deps.config).baseUrl, tenantId: tenant.id, ...secret }
}

/** Finds a complete tenant. Removes a tenant whose creation was interrupted, so that it can be created again. */
async function findFinished(deps: CreateDeps, subdomain: string): Promise<TenantRow | undefined> {
  const row = await findTenantBySubdomain(deps.db.read, subdomain)
  if (row?.state !== 'provisioning') return row
  return (await cancelTenant(deps, row.id)) ? undefined : findTenantBySubdomain(deps.db.read, subdomain)
}

async function ensure(
  deps: CreateDeps,
  existing: TenantRow | undefined,
  request: TenantToCreate,
  storedSecret: Secret | undefined,
): Promise<{ tenant: TenantRow; secret: Secret }> {
  if (!existing) {
    const { tenant, client, clientSecret } = await createTenant(deps, request)
    return { tenant, secret: { clientId: client.id, clientSecret } }
  }
  const row = storedSecret && (await findClient(deps.db.read, existing.id, storedSecret.clientId))
  if (storedSecret && hasSecret(row, storedSecret.clientSecret, deps.clock.now())) {
    return { tenant: existing, secret: { clientId: storedSecret.clientId, clientSecret: storedSecret.clientSecret } }
  }
  const roles = [request.kind === 'platform' ? ('platform' as const) : ('admin' as const)]
  const values = { name: `${request.name} ${roles[0]}`, roles }
  const { client, clientSecret } = await changesBy(deps, { event: 'TENANT_CLIENT_CREATE' })(async (tx, record) => {
    const created = await insertClient(tx, existing.id, values, deps.clock.now())
    record(existing.id, { id: created.client.id, roles })
    return created
  })
  return { tenant: existing, secret: { clientId: client.id, clientSecret } }
}
