import '../../shared/quick-resolve.ts'
import type { SealedSecret, SealedSecrets } from '../../db/repos/issuance/sealed-secrets.ts'
import { createLog } from '../../shared/log/log.ts'
import { useCompileCache } from '../../shared/process/compile-cache.ts'
import { exitIfMisconfigured, exitOnStartupError, waitUntilReachable } from '../../shared/process/dependency.ts'
import type { SealContext } from '../../shared/secrets/sealing.ts'
import { readConfig } from '../../shared/settings/config.ts'

/**
 * `node api/cli/reseal.ts`: run it while a `SERVICE_SECRET` is replaced. It reseals all stored secrets under the first service secret, and
 * those of the format of earlier versions.
 * Exits with code 1 if a stored secret cannot be opened with any of the configured service secrets.
 */
const batchSize = 200

const config = exitIfMisconfigured(() => readConfig(process.env))
useCompileCache(config.dataDir)
const { openDatabase } = await import('../../db/client.ts')
const { createSecrets } = await import('../../shared/secrets/secrets.ts')
const { migratedDatabase } = await import('../../db/engine/dependency.ts')
const stored = await import('../../db/repos/issuance/sealed-secrets.ts')
const approvals = await import('../../db/repos/operations/sealed-approvals.ts')
const { approvalContext } = await import('../../shared/domain/tenancy/approvals.ts')
const { providerContext } = await import('../access/console/provider.ts')
const { authorizationContext } = await import('../issuance/claim-sources/authorization.ts')
const { hookContext } = await import('../issuance/interaction-hook/secret.ts')
const { credentialsSealContext: credentialsContext } = await import('../../shared/jobs/answered-credentials.ts')
const bulk = await import('../../db/repos/issuance/bulk/sealed-bulk-rows.ts')
const { bulkResultContext, bulkRowContext } = await import('../../shared/domain/issuance/bulk-issuances.ts')
const { bulkKeptContext } = await import('../../shared/domain/issuance/kept-columns.ts')
const { claimLinkSealContext } = await import('../../shared/domain/issuance/claim-links.ts')
const { clientSecretContext } = await import('../issuance/sign-in-provider/client-secret.ts')

type ContextOfRow = (bulkId: string, row: number) => SealContext
const ofBulkRow = (contextOf: ContextOfRow) => (id: string) => {
  const { bulkId, row } = bulk.readBulkRowId(id)
  return contextOf(bulkId, row)
}

const giveAgain = 'set it again through the API'
const kinds: { name: string; of: SealedSecrets; contextOf: (id: string) => SealContext; advice: string }[] = [
  {
    name: 'client secret of the sign-in provider',
    of: stored.providerSecrets,
    contextOf: clientSecretContext,
    advice: giveAgain,
  },
  {
    name: 'client secret of the console provider',
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
    advice: 'webhooks can no longer deliver it',
  },
  {
    ...{ name: 'content of the claim link', of: stored.claimLinkContents, contextOf: claimLinkSealContext },
    advice: 'it can no longer be opened. Issue its row again',
  },
  {
    ...{ name: 'content of the row of a bulk issuance', of: bulk.bulkRowClaims, contextOf: ofBulkRow(bulkRowContext) },
    advice: 'it can no longer be issued. Upload its row again',
  },
  {
    ...{ name: 'result of a bulk issuance', of: bulk.bulkRowResults, contextOf: ofBulkRow(bulkResultContext) },
    advice: 'it can no longer be downloaded',
  },
  {
    ...{ name: 'kept cells of a bulk issuance', of: bulk.bulkRowKept, contextOf: ofBulkRow(bulkKeptContext) },
    advice: 'they can no longer be downloaded',
  },
  {
    name: 'request that waits for the approval',
    of: approvals.approvalRequests,
    contextOf: (id) => approvalContext('request', id),
    advice: 'it can only be rejected. Send it again',
  },
  {
    name: 'answer of the approval',
    of: approvals.approvalAnswers,
    contextOf: (id) => approvalContext('answer', id),
    advice: 'it can no longer be read',
  },
]
const secrets = createSecrets(config.serviceSecrets, config)
const db = exitIfMisconfigured(() => openDatabase(config.databaseUrl, { survives: 'powerLoss' }))
const log = createLog({ process: 'reseal', level: config.logLevel, pretty: !config.production })
await waitUntilReachable(migratedDatabase(db, config.databaseUrl), log).catch((error) => exitOnStartupError(log, error))

let done = 0
let left = 0
for (const { name, of, contextOf, advice } of kinds) {
  for await (const secret of allOf(of)) {
    const opened = openedBy(secret.sealed, contextOf(secret.id))
    if (!opened) {
      console.error(`The ${name} ${secret.id} cannot be opened with any configured SERVICE_SECRET: ${advice}.`)
      left += 1
      continue
    }
    const { resealed } = opened
    if (resealed === undefined) continue
    await db.tx((tx) => of.replace(tx, secret, resealed))
    done += 1
  }
}
console.log(`${done} resealed, ${left} left.`)
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

/** Reseals a secret. Returns undefined if no service secret opens it. `resealed` is undefined if that is not needed. */
function openedBy(sealed: string, context: SealContext): { resealed: string | undefined } | undefined {
  try {
    return { resealed: secrets.reseal(sealed, context) }
  } catch {
    return undefined
  }
}
