import type { Writer } from '../../../db/client.ts'
import type { CertificateRow } from '../../../db/repos/certificates/certificates.ts'
import { type ChangeTo, changesBy } from '../../../db/repos/operations/audit/audited.ts'
import { cancelTenant } from '../../../db/repos/tenancy/cancel-tenant.ts'
import { type ClientRow, insertClient } from '../../../db/repos/tenancy/clients.ts'
import {
  findPlatformId,
  findTenant,
  insertHosts,
  insertTenant,
  type TenantRow,
} from '../../../db/repos/tenancy/tenants.ts'
import { defaultSettings, type TenantKind, type TenantSettings } from '../../../db/tables/tenancy/tenants.ts'
import type { Role } from '../../../shared/access/roles.ts'
import type { Clock } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { didWebOf } from '../../../shared/formats/did.ts'
import type { Keys } from '../../../shared/jobs/keys.ts'
import { normalHost } from '../../../shared/normal-host.ts'
import type { Config } from '../../../shared/settings/config.ts'
import type { Deps } from '../../deps.ts'
import { insertRoot } from './insert-root.ts'

export interface TenantToCreate {
  kind: TenantKind
  name: string
  subdomain: string
  aliases: string[]
  settings: Partial<TenantSettings>
  /** The root certificate that the tenant gets. */
  root?: { country: string }
}

export interface CreatedTenant {
  tenant: TenantRow
  /** The first client. */
  client: ClientRow
  clientSecret: string
  root?: CertificateRow
}

export type CreateDeps = Pick<Deps, 'db'> & { config: Config; clock: Clock; keys: Keys }

/**
 * Creates a tenant with its hosts, a first client, its keys and, if requested, its root. If the signing process does not answer in time, removes
 * the tenant and throws. Throws `conflict` for a host of another tenant.
 */
export async function createTenant(
  deps: CreateDeps,
  request: TenantToCreate,
  change: ChangeTo<CreatedTenant> = changesBy(deps, { event: 'TENANT_CREATE' }),
): Promise<CreatedTenant> {
  const canonicalHost = canonicalHostOf(request, deps.config)
  const created = await change(async (tx, record) => {
    const all = await insertAll(tx, deps, request, canonicalHost)
    const data = { id: all.tenant.id, clientId: all.client.id }
    for (const chain of new Set([await findPlatformId(tx), data.id])) if (chain) record(chain, data)
    return all
  })
  try {
    await deps.keys.call('provisionTenant', { tenantId: created.tenant.id })
  } catch (error) {
    // The signing process can finish at the same time. The first change of the row wins.
    if (await cancelTenant(deps, created.tenant.id)) throw error
  }
  return created
}

/**
 * Makes the keys of a tenant if the process ended before it had them. Returns false if the tenant does not exist, because it stayed
 * without keys for too long. Throws `service_unavailable` if the signing process does not answer.
 */
export async function completeTenant(
  { deps, deadlineAt }: { deps: Deps; deadlineAt: number },
  tenantId: string,
): Promise<boolean> {
  const isProvisioning = (await findTenant(deps.db.read, tenantId))?.state === 'provisioning'
  if (isProvisioning) await deps.keys.call('provisionTenant', { tenantId }, { deadlineAt })
  return (await findTenant(deps.db.read, tenantId))?.state === 'active'
}

/** Returns the permanent host of all published URLs: the first alias, otherwise the subdomain of the platform. */
function canonicalHostOf({ kind, aliases, subdomain }: TenantToCreate, config: Config): string {
  if (kind === 'platform') return normalHost(config.platformHost, config.publicScheme)
  return normalHost(aliases[0] ?? `${subdomain}.${config.platformDomain}`, config.publicScheme)
}

async function insertAll(
  tx: Writer,
  deps: CreateDeps,
  request: TenantToCreate,
  canonicalHost: string,
): Promise<CreatedTenant> {
  const { kind, name, subdomain, settings, root } = request
  const at = deps.clock.now()
  const tenant = await insertTenant(
    tx,
    {
      kind,
      name,
      subdomain,
      canonicalHost,
      did: didWebOf(canonicalHost),
      settings: { ...defaultSettings, ...settings },
    },
    at,
  )
  if (!tenant) throw conflict('subdomain', subdomain)
  const roles: Role[] = [kind === 'platform' ? 'platform' : 'admin']
  await takeHosts(tx, deps.config, tenant, request.aliases)
  const made = { tenant, ...(await insertClient(tx, tenant.id, { name: `${name} ${roles[0]}`, roles }, at)) }
  return root ? { ...made, root: await insertRoot(tx, tenant, root.country, at) } : made
}

/** Assigns the canonical host, the subdomain and the aliases to the tenant. Throws `conflict` for a host of another tenant. */
export async function takeHosts(tx: Writer, config: Config, tenant: TenantRow, aliases: string[]): Promise<string[]> {
  const own = tenant.kind === 'platform' ? [] : [`${tenant.subdomain}.${config.platformDomain}`]
  const hosts = [
    ...new Set([tenant.canonicalHost, ...own, ...aliases].map((host) => normalHost(host, config.publicScheme))),
  ]
  const taken = await insertHosts(tx, tenant.id, hosts)
  const missing = hosts.find((host) => !taken.includes(host))
  if (missing) throw conflict('aliases', missing)
  return hosts
}

function conflict(param: string, value: string): Problem {
  return new Problem('conflict', { details: [{ value, msg: 'Taken by another tenant', param, location: 'body' }] })
}
