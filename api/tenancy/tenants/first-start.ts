import { changesBy } from '../../../db/repos/operations/audited.ts'
import { cancelTenant } from '../../../db/repos/tenancy/cancel-tenant.ts'
import { deleteOtherClients, findClient, hasSecret, insertClient } from '../../../db/repos/tenancy/clients.ts'
import {
  findTenantBySubdomain,
  findTenantRowByHost,
  insertHosts,
  type TenantRow,
} from '../../../db/repos/tenancy/tenants.ts'
import { Misconfigured } from '../../../shared/dependency.ts'
import type { ClientFacts, DemoFacts } from '../../../shared/launcher/demo-facts.ts'
import { normalHost } from '../../../shared/normal-host.ts'
import { toTenant } from '../../access/tenant.ts'
import { type CreateDeps, createTenant, type TenantToCreate } from './create.ts'

interface Secret {
  clientId: string
  clientSecret: string
}

/**
 * Makes the platform's tenant and its client, unless they stand. What `known` says of the client is kept if it is true;
 * otherwise, secrets being stored as hashes, a new client is made. Safe to repeat after it was cut off anywhere.
 */
export async function ensurePlatform(deps: CreateDeps, known: Secret | undefined): Promise<ClientFacts> {
  const { config } = deps
  const host = normalHost(config.platformHost, config.publicScheme)
  const standing = await findFinished(deps, 'platform')
  const request = { kind: 'platform' as const, name: 'Platform', subdomain: 'platform', aliases: [], settings: {} }
  const { tenant, secret } = await ensure(deps, standing, request, known)
  // PLATFORM_HOST, or the port in it, may be another one than last time.
  const taken = await deps.db.tx((tx) => insertHosts(tx, tenant.id, [host]))
  const holder = taken.length === 1 ? tenant : await findTenantRowByHost(deps.db.read, host)
  if (holder?.id !== tenant.id)
    throw new Misconfigured(`PLATFORM_HOST is ${host}, which is the host of a tenant: it has to be another one.`)
  return { baseUrl: `${config.publicScheme}://${host}`, ...secret }
}

/** Makes the platform another client and ends all others, whose tokens stop working at once. Returns how many these were. */
export async function replacePlatformClients(deps: CreateDeps): Promise<{ client: ClientFacts; deleted: number }> {
  const client = await ensurePlatform(deps, undefined)
  const platform = await findTenantBySubdomain(deps.db.read, 'platform')
  if (!platform) throw new Error('the platform was removed meanwhile')
  const others = await changesBy(deps, { event: 'TENANT_CLIENT_DELETE' })(async (tx, record) => {
    const ids = await deleteOtherClients(tx, platform.id, client.clientId)
    record(platform.id, { ids })
    return ids
  })
  return { client, deleted: others.length }
}

/** Makes the tenant that a newcomer finds at `localhost:PORT`, with an `admin` client; `known` as for the platform. */
export async function ensureDemo(deps: CreateDeps, known: Secret | undefined): Promise<Omit<DemoFacts, 'platform'>> {
  const { port, publicScheme, platformDomain } = deps.config
  // Where the public reaches the service by https, nobody would at localhost.
  const aliases = publicScheme === 'http' ? [`localhost:${port}`, `127.0.0.1:${port}`] : []
  const standing = await findTenantRowByHost(deps.db.read, aliases[0] ?? `demo.${platformDomain}`)
  // The host of a tenant is for good: on another port there is another demo tenant.
  const subdomain = (await findFinished(deps, 'demo')) ? `demo-${port}` : 'demo'
  if (!standing) await findFinished(deps, subdomain)
  const request = { kind: 'tenant' as const, name: 'Demo', subdomain, aliases, settings: { publicClients: true } }
  const { tenant, secret } = await ensure(deps, standing, request, known)
  return { baseUrl: toTenant(tenant, deps.config).baseUrl, tenantId: tenant.id, ...secret }
}

/** A tenant whose making was cut off is removed, so that it can be made again. */
async function findFinished(deps: CreateDeps, subdomain: string): Promise<TenantRow | undefined> {
  const row = await findTenantBySubdomain(deps.db.read, subdomain)
  if (row?.state !== 'provisioning') return row
  return (await cancelTenant(deps, row.id)) ? undefined : findTenantBySubdomain(deps.db.read, subdomain)
}

async function ensure(
  deps: CreateDeps,
  standing: TenantRow | undefined,
  request: TenantToCreate,
  known: Secret | undefined,
): Promise<{ tenant: TenantRow; secret: Secret }> {
  if (!standing) {
    const { tenant, client, clientSecret } = await createTenant(deps, request)
    return { tenant, secret: { clientId: client.id, clientSecret } }
  }
  const row = known && (await findClient(deps.db.read, standing.id, known.clientId))
  if (known && hasSecret(row, known.clientSecret, deps.clock.now())) {
    return { tenant: standing, secret: { clientId: known.clientId, clientSecret: known.clientSecret } }
  }
  const roles = [request.kind === 'platform' ? ('platform' as const) : ('admin' as const)]
  const values = { name: `${request.name} ${roles[0]}`, roles }
  const { client, clientSecret } = await changesBy(deps, { event: 'TENANT_CLIENT_CREATE' })(async (tx, record) => {
    const created = await insertClient(tx, standing.id, values, deps.clock.now())
    record(standing.id, { id: created.client.id, roles })
    return created
  })
  return { tenant: standing, secret: { clientId: client.id, clientSecret } }
}
