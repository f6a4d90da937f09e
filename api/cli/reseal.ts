import '../../db/engine/quick-drizzle.ts'
import type { SealedSecret, SealedSecrets } from '../../db/repos/issuance/sealed-secrets.ts'
import { useCompileCache } from '../../shared/compile-cache.ts'
import { readConfig } from '../../shared/config.ts'
import { exitIfMisconfigured, exitOnStartupError, waitUntilReachable } from '../../shared/dependency.ts'
import { createLog } from '../../shared/log.ts'
import { createSecrets } from '../../shared/secrets.ts'

/**
 * `node api/cli/reseal.ts`, while a `SERVICE_SECRET` is replaced: what the database keeps sealed under an earlier one is sealed under the
 * first. Ends with 1 where something is left that none of those that are given opens.
 */
const batchSize = 200

const config = exitIfMisconfigured(() => readConfig(process.env))
useCompileCache(config.dataDir)
const { openDatabase } = await import('../../db/client.ts')
const { migratedDatabase } = await import('../../db/engine/dependency.ts')
const stored = await import('../../db/repos/issuance/sealed-secrets.ts')
const { providerContext } = await import('../access/console/provider.ts')
const { authorizationContext } = await import('../issuance/claim-sources/authorization.ts')
const { hookContext } = await import('../issuance/interaction-hook/secret.ts')
const { credentialsSealContext: credentialsContext } = await import('../../shared/jobs/answered-credentials.ts')
const { clientSecretContext } = await import('../issuance/sign-in-provider/client-secret.ts')

const giveAgain = 'give it to the service again'
const kinds: { name: string; of: SealedSecrets; contextOf: (id: string) => string; advice: string }[] = [
  {
    name: 'secret at the sign-in provider',
    of: stored.providerSecrets,
    contextOf: clientSecretContext,
    advice: giveAgain,
  },
  {
    name: 'secret at the provider of the console',
    of: stored.consoleProviderSecrets,
    contextOf: providerContext,
    advice: giveAgain,
  },
  {
    name: 'authorization of the claim source',
    of: stored.claimSourceSecrets,
    contextOf: authorizationContext,
    advice: giveAgain,
  },
  {
    name: 'secret of the interaction hook of tenant',
    of: stored.hookSecrets,
    contextOf: hookContext,
    advice: giveAgain,
  },
  {
    ...{ name: 'content of the issuance', of: stored.issuedCredentials, contextOf: credentialsContext },
    advice: 'webhooks can no longer tell it',
  },
]
const secrets = createSecrets(config.serviceSecrets)
const db = exitIfMisconfigured(() => openDatabase(config.databaseUrl, { survives: 'powerLoss' }))
const log = createLog({ process: 'reseal', level: config.logLevel, pretty: !config.production })
await waitUntilReachable(migratedDatabase(db, config.databaseUrl), log).catch((error) => exitOnStartupError(log, error))

let done = 0
let left = 0
for (const { name, of, contextOf, advice } of kinds) {
  for await (const secret of allOf(of)) {
    const opened = openedBy(secret.sealed, contextOf(secret.id))
    if (!opened) {
      console.error(`The ${name} ${secret.id} opens under no SERVICE_SECRET that is given: ${advice}.`)
      left += 1
      continue
    }
    const { sealedAnew } = opened
    if (sealedAnew === undefined) continue
    await db.tx((tx) => of.replace(tx, secret, sealedAnew))
    done += 1
  }
}
console.log(`${done} sealed anew, ${left} left.`)
await db.close()
process.exitCode = left > 0 ? 1 : 0

async function* allOf({ find }: SealedSecrets): AsyncGenerator<SealedSecret> {
  for (let after = ''; ; ) {
    const batch = await find(db.read, after, batchSize)
    yield* batch
    const last = batch.at(-1)
    if (!last) return
    after = last.id
  }
}

/** `sealedAnew` is undefined for what the first secret has sealed; all of it for what none opens. */
function openedBy(sealed: string, context: string): { sealedAnew: string | undefined } | undefined {
  try {
    return { sealedAnew: secrets.sealAnew(sealed, context) }
  } catch {
    return undefined
  }
}
