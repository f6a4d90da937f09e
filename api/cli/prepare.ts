import { openDatabase } from '../../db/client.ts'
import { migratedDatabase } from '../../db/engine/dependency.ts'
import { openBroker } from '../../db/queue/open-broker.ts'
import { findPlatformId, findTenantBySubdomain } from '../../db/repos/tenancy/tenants.ts'
import { systemClock } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { createKeys } from '../../shared/jobs/keys.ts'
import { patientKeys } from '../../shared/jobs/patient-keys.ts'
import { type ConsoleLinks, sendConsoleLinks } from '../../shared/launcher/console-links.ts'
import { type DemoFacts, readDemoFacts, writeDemoFacts } from '../../shared/launcher/demo-facts.ts'
import { readIdentityProviderFacts } from '../../shared/launcher/identity-provider-facts.ts'
import type { Log } from '../../shared/log/log.ts'
import {
  exitIfMisconfigured,
  exitOnStartupError,
  Misconfigured,
  waitUntilReachable,
} from '../../shared/process/dependency.ts'
import { createSecrets, type Secrets } from '../../shared/secrets/secrets.ts'
import type { Config } from '../../shared/settings/config.ts'
import { createConsoleLink } from '../console/links/create-link.ts'
import { ensureDemoProvider } from '../issuance/sign-in-provider/demo-provider.ts'
import type { CreateDeps } from '../tenancy/tenants/create.ts'
import { ensureDemo, ensurePlatform, replacePlatformClients } from '../tenancy/tenants/first-start.ts'

/** A signing process that has not started within this time does not run. Its first heartbeat comes when it has started. */
const keysWithinMs = 30_000
const unanswered = `The platform was not created: no signing process has run for ${keysWithinMs / 1000} s, or the database became unreachable. Start a signing process (node workers/main.ts signing signing-bulk), then run this command again. GET /health/ready of a web process shows which dependency is missing.`

/** Creates the platform, or what the arguments request. `api/cli/init.ts` documents them. */
export async function prepare(
  args: readonly string[],
  config: Config,
  log: Log,
  { withinMs = keysWithinMs }: { withinMs?: number } = {},
): Promise<void> {
  const db = exitIfMisconfigured(() => openDatabase(config.databaseUrl, { survives: 'powerLoss' }))
  const secrets = createSecrets(config.serviceSecrets, config)
  const broker = openBroker(config, { db, secrets })
  const database = waitUntilReachable(migratedDatabase(db, config.databaseUrl), log)
  await Promise.all([database, broker.waitUntilReachable(log, database)]).catch((error) =>
    exitOnStartupError(log, error),
  )
  const bus = broker.openBus()
  await bus.connected
  const isDemo = args.includes('--demo')
  // `npm start` ends this process when the signing process ends. On a slow machine it starts later than in 30 s.
  const canBeAnswered = async () => isDemo || (await bus.signingStatus()).isRunning
  const keys = patientKeys(createKeys(bus, withinMs), canBeAnswered)
  const deps: CreateDeps = { config, db, clock: systemClock, keys }
  try {
    if (isDemo) await sendConsoleLinks(await prepareDemo(deps, secrets))
    else await preparePlatform(deps, args)
  } catch (error) {
    exitOnStartupError(log, isOutage(error) ? new Misconfigured(unanswered) : error)
  } finally {
    await bus.close()
    await db.close()
  }
}

/** Whether a dependency was unreachable. It is safe to run the command again: it never leaves a partial result. */
function isOutage(error: unknown): boolean {
  return error instanceof Problem && error.problem === 'service_unavailable'
}

/** Creates the platform and the demo tenant if they are missing, and writes `demo.json`. Outside of production, returns links to the consoles. */
export async function prepareDemo(deps: CreateDeps, secrets: Secrets): Promise<ConsoleLinks | undefined> {
  const { config } = deps
  const facts = readDemoFacts(config.dataDir)
  const platform = await ensurePlatform(deps, facts?.platform)
  const demo = await ensureDemo(deps, facts)
  writeDemoFacts(config.dataDir, { ...demo, platform })
  const provider = readIdentityProviderFacts(config.dataDir)
  if (provider) await ensureDemoProvider({ ...deps, secrets }, demo.tenantId, provider)
  if (facts && demo.clientId !== facts.clientId) {
    console.log('The client in demo.json is not in this database. A new client was created.')
  }
  // In production the output may be stored, so it must not contain links that sign in.
  return config.production ? undefined : makeLinks(deps, { ...demo, platform })
}

async function makeLinks(deps: CreateDeps, { tenantId, platform, ...demo }: DemoFacts): Promise<ConsoleLinks> {
  const platformId = await findPlatformId(deps.db.read)
  if (!platformId) throw new Error('the platform was removed in the meantime')
  return {
    demo: await createConsoleLink(deps, tenantId, demo),
    platform: await createConsoleLink(deps, platformId, platform),
  }
}

async function preparePlatform(deps: CreateDeps, args: readonly string[]): Promise<void> {
  const existing = await findTenantBySubdomain(deps.db.read, 'platform')
  if (existing?.state === 'active' && !args.includes('--new-client')) {
    console.log('The platform already has a client. Use --new-client to create another one.')
    return
  }
  if (!args.includes('--delete-others')) {
    console.log(JSON.stringify(await ensurePlatform(deps, undefined), null, 2))
    return
  }
  const { client, deleted } = await replacePlatformClients(deps)
  console.error(`${deleted} other clients of the platform were deleted.`)
  console.log(JSON.stringify(client, null, 2))
}
