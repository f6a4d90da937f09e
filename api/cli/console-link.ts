import '../../shared/quick-resolve.ts'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { ClientRow } from '../../db/repos/tenancy/clients.ts'
import type { TenantRow } from '../../db/repos/tenancy/tenants.ts'
import { systemClock } from '../../shared/clock.ts'
import { normalHost } from '../../shared/normal-host.ts'
import { useCompileCache } from '../../shared/process/compile-cache.ts'
import { exitIfMisconfigured, Misconfigured, requireReachable } from '../../shared/process/dependency.ts'
import { readAddresses } from '../../shared/settings/config.ts'

/**
 * `npm run console:link -- --tenant HOST [--client ID]`: prints a link that signs a management client in at the console of this host.
 * The link works once, within 15 minutes. Without `--client` it signs in the only client with all rights there. The command needs access
 * to the database, but no client secret and no other process. It uses the settings of a web process.
 */
const usage =
  'npm run console:link -- --tenant HOST [--client ID]: HOST as in the URL, including the port if the URL has one'
const maxListed = 20
const maxClients = 1000

const { tenant: tenantHost, client: clientId } = exitIfMisconfigured(readArguments)
const { databaseUrl, dataDir, publicScheme } = exitIfMisconfigured(() => readAddresses(process.env))
const file = databaseUrl.startsWith('file:') && databaseUrl.slice('file:'.length)
if (file && !existsSync(file)) {
  console.error(`There is no database at ${file}.`)
  process.exit(1)
}

useCompileCache(dataDir)
const { openDatabase } = await import('../../db/client.ts')
const { migratedDatabase } = await import('../../db/engine/dependency.ts')
const { findClient, listClients } = await import('../../db/repos/tenancy/clients.ts')
const { findTenantRowByHost } = await import('../../db/repos/tenancy/tenants.ts')
const { createConsoleLink } = await import('../console/links/create-link.ts')

const host = normalHost(tenantHost, publicScheme)
const db = exitIfMisconfigured(() => openDatabase(databaseUrl, { survives: 'powerLoss' }))
await requireReachable(migratedDatabase(db, databaseUrl))
try {
  const tenant = await findTenantRowByHost(db.read, host)
  if (!tenant) throw new Misconfigured(`No tenant has the host ${host}.`)
  const client = clientId === undefined ? await findOnlyClient(tenant) : await findClientById(tenant, clientId)
  const target = { clientId: client.id, baseUrl: `${publicScheme}://${host}` }
  const link = await createConsoleLink({ db, clock: systemClock }, tenant.id, target)
  console.error(`This link signs in ${describe(client)}. It works once, within 15 minutes:`)
  console.log(link)
} catch (error) {
  if (!(error instanceof Misconfigured)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  await db.close()
}

function readArguments(): { tenant: string; client: string | undefined } {
  try {
    const { values } = parseArgs({ options: { tenant: { type: 'string' }, client: { type: 'string' } } })
    if (values.tenant) return { tenant: values.tenant, client: values.client }
  } catch {
    // Unknown option.
  }
  throw new Misconfigured(usage)
}

async function findClientById(tenant: TenantRow, id: string): Promise<ClientRow> {
  const client = await findClient(db.read, tenant.id, id)
  if (!client) throw new Misconfigured(`${host} has no client ${id}.`)
  return client
}

/** Finds the only client with the role that has all rights there. Throws Misconfigured if there is none or more than one. */
async function findOnlyClient({ id, kind }: TenantRow): Promise<ClientRow> {
  const role = kind === 'platform' ? 'platform' : 'admin'
  const all = await listClients(db.read, id, { limit: maxClients })
  const [first, ...others] = all.filter(({ roles }) => roles.includes(role))
  if (first && others.length === 0) return first
  const listed = (first ? [first, ...others] : all).slice(0, maxListed).map((each) => `\n  ${describe(each)}`)
  const how = first ? `${others.length + 1} clients` : 'no client'
  throw new Misconfigured(`${host} has ${how} with the role ${role}. Select one with --client.${listed.join('')}`)
}

function describe({ id, name, roles }: ClientRow): string {
  return `${id} (${name}: ${roles.join(', ')})`
}
