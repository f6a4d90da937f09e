import '../../db/engine/quick-drizzle.ts'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { ClientRow } from '../../db/repos/tenancy/clients.ts'
import type { TenantRow } from '../../db/repos/tenancy/tenants.ts'
import { systemClock } from '../../shared/clock.ts'
import { useCompileCache } from '../../shared/compile-cache.ts'
import { readAddresses } from '../../shared/config.ts'
import { exitIfMisconfigured, Misconfigured, requireReachable } from '../../shared/dependency.ts'
import { normalHost } from '../../shared/normal-host.ts'

/**
 * `npm run console:link -- --tenant HOST [--client ID]`: prints a link that signs a management client in at the console of this host,
 * once, within a quarter of an hour. Without `--client` it is the one that may do everything there. Whoever has the database and the
 * right to run this needs no secret. It needs no other process; its settings are those of a web process.
 */
const usage =
  'npm run console:link -- --tenant HOST [--client ID]: HOST as in the address, with its port if there is one'
const mostListed = 20
const mostClients = 1000

const { tenant: given, client: clientId } = exitIfMisconfigured(readWords)
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

const host = normalHost(given, publicScheme)
const db = exitIfMisconfigured(() => openDatabase(databaseUrl, { survives: 'powerLoss' }))
await requireReachable(migratedDatabase(db, databaseUrl))
try {
  const tenant = await findTenantRowByHost(db.read, host)
  if (!tenant) throw new Misconfigured(`No tenant has the host ${host}.`)
  const client = clientId === undefined ? await findTheOne(tenant) : await findNamed(tenant, clientId)
  const place = { clientId: client.id, baseUrl: `${publicScheme}://${host}` }
  const link = await createConsoleLink({ db, clock: systemClock }, tenant.id, place)
  console.error(`It signs in ${inWords(client)}, once, within 15 minutes:`)
  console.log(link)
} catch (error) {
  if (!(error instanceof Misconfigured)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  await db.close()
}

function readWords(): { tenant: string; client: string | undefined } {
  try {
    const { values } = parseArgs({ options: { tenant: { type: 'string' }, client: { type: 'string' } } })
    if (values.tenant) return { tenant: values.tenant, client: values.client }
  } catch {
    // A word that there is not.
  }
  throw new Misconfigured(usage)
}

async function findNamed(tenant: TenantRow, id: string): Promise<ClientRow> {
  const client = await findClient(db.read, tenant.id, id)
  if (!client) throw new Misconfigured(`${host} has no client ${id}.`)
  return client
}

/** The one client with the role that may do everything there. Throws Misconfigured where that is not one. */
async function findTheOne({ id, kind }: TenantRow): Promise<ClientRow> {
  const role = kind === 'platform' ? 'platform' : 'admin'
  const all = await listClients(db.read, id, mostClients)
  const [first, ...others] = all.filter(({ roles }) => roles.includes(role))
  if (first && others.length === 0) return first
  const listed = (first ? [first, ...others] : all).slice(0, mostListed).map((each) => `\n  ${inWords(each)}`)
  const how = first ? `${others.length + 1} clients` : 'no client'
  throw new Misconfigured(`${host} has ${how} with the role ${role}: say which with --client.${listed.join('')}`)
}

function inWords({ id, name, roles }: ClientRow): string {
  return `${id} (${name}: ${roles.join(', ')})`
}
