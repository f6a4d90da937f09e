import { openDatabase } from '../db/client.ts'
import { migratedDatabase } from '../db/engine/dependency.ts'
import { findPlatformId, findTenantBySubdomain } from '../db/repos/tenancy/tenants.ts'
import { systemClock } from '../shared/clock.ts'
import type { Config } from '../shared/config.ts'
import { exitIfMisconfigured, exitOnStartupError, Misconfigured, waitUntilReachable } from '../shared/dependency.ts'
import { Problem } from '../shared/errors.ts'
import { createBus } from '../shared/jobs/bus.ts'
import { createKeys } from '../shared/jobs/keys.ts'
import { redisDependency } from '../shared/jobs/redis.ts'
import { type ConsoleLinks, sendConsoleLinks } from '../shared/launcher/console-links.ts'
import { type DemoFacts, readDemoFacts, writeDemoFacts } from '../shared/launcher/demo-facts.ts'
import { readIdentityProviderFacts } from '../shared/launcher/identity-provider-facts.ts'
import type { Log } from '../shared/log.ts'
import { createSecrets, type Secrets } from '../shared/secrets.ts'
import { createConsoleLink } from './console/links/create-link.ts'
import { ensureDemoProvider } from './issuance/sign-in-provider/demo-provider.ts'
import type { CreateDeps } from './tenancy/tenants/create.ts'
import { ensureDemo, ensurePlatform, replacePlatformClients } from './tenancy/tenants/first-start.ts'

const keysWithinMs = 30_000
const unanswered = `The platform was not made: no signing process answered within ${keysWithinMs / 1000} s, or the database went away. Start one (node workers/main.ts signing signing-bulk), and this again; GET /health/ready of a web process says more.`

/** Makes the platform, or what `words` ask for; `api/cli/init.ts` says which there are. */
export async function prepare(words: readonly string[], config: Config, log: Log): Promise<void> {
  const db = exitIfMisconfigured(() => openDatabase(config.databaseUrl, { survives: 'powerLoss' }))
  const secrets = createSecrets(config.serviceSecrets)
  await Promise.all([
    waitUntilReachable(migratedDatabase(db, config.databaseUrl), log),
    waitUntilReachable(redisDependency(config.redisUrl), log),
  ]).catch((error) => exitOnStartupError(log, error))
  const bus = await createBus({ redisUrl: config.redisUrl, prefix: config.redisPrefix, secrets })
  const deps: CreateDeps = { config, db, clock: systemClock, keys: createKeys(bus, keysWithinMs) }
  try {
    await (words.includes('--demo') ? prepareDemo(deps, secrets) : preparePlatform(deps, words))
  } catch (error) {
    exitOnStartupError(log, isOutage(error) ? new Misconfigured(unanswered) : error)
  } finally {
    await bus.close()
    await db.close()
  }
}

/** Nothing is half made: what was begun is made anew. */
function isOutage(error: unknown): boolean {
  return error instanceof Problem && error.problem === 'service_unavailable'
}

async function prepareDemo(deps: CreateDeps, secrets: Secrets): Promise<void> {
  const { config } = deps
  const known = readDemoFacts(config.dataDir)
  const platform = await ensurePlatform(deps, known?.platform)
  const demo = await ensureDemo(deps, known)
  writeDemoFacts(config.dataDir, { ...demo, platform })
  // In production nobody is to find a way in where the output is kept.
  if (!config.production) await sendConsoleLinks(await makeLinks(deps, { ...demo, platform }))
  const provider = readIdentityProviderFacts(config.dataDir)
  if (provider) await ensureDemoProvider({ ...deps, secrets }, demo.tenantId, provider)
  if (known && demo.clientId !== known.clientId) {
    console.log('The client in demo.json was not known to this database: a new one was made.')
  }
}

async function makeLinks(deps: CreateDeps, { tenantId, platform, ...demo }: DemoFacts): Promise<ConsoleLinks> {
  const platformId = await findPlatformId(deps.db.read)
  if (!platformId) throw new Error('the platform was removed meanwhile')
  return {
    demo: await createConsoleLink(deps, tenantId, demo),
    platform: await createConsoleLink(deps, platformId, platform),
  }
}

async function preparePlatform(deps: CreateDeps, words: readonly string[]): Promise<void> {
  const standing = await findTenantBySubdomain(deps.db.read, 'platform')
  if (standing?.state === 'active' && !words.includes('--new-client')) {
    console.log('The platform has its client already; --new-client makes another.')
    return
  }
  if (!words.includes('--delete-others')) {
    console.log(JSON.stringify(await ensurePlatform(deps, undefined), null, 2))
    return
  }
  const { client, deleted } = await replacePlatformClients(deps)
  console.error(`${deleted} other clients of the platform were deleted.`)
  console.log(JSON.stringify(client, null, 2))
}
