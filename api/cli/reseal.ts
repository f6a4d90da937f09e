import '../../shared/quick-resolve.ts'
import type { SealedValue } from '../../db/repos/operations/sealed-values.ts'
import type { ServiceSealedColumn } from '../../db/sealed-columns.ts'
import { systemClock } from '../../shared/clock.ts'
import { createLog } from '../../shared/log/log.ts'
import { useCompileCache } from '../../shared/process/compile-cache.ts'
import { exitIfMisconfigured, exitOnStartupError, waitUntilReachable } from '../../shared/process/dependency.ts'
import type { SealContext } from '../../shared/secrets/sealing.ts'
import { readConfig } from '../../shared/settings/config.ts'

/**
 * `node api/cli/reseal.ts`: run it while a `SERVICE_SECRET` is replaced. It reseals all stored secrets under the first service secret, and
 * those of the format of earlier versions. The columns are in db/sealed-columns.ts.
 * Exits with code 1 if a stored secret cannot be opened with any of the configured service secrets.
 */
const batchSize = 200

const config = exitIfMisconfigured(() => readConfig(process.env))
useCompileCache(config.dataDir)
const { openDatabase } = await import('../../db/client.ts')
const { createSecrets } = await import('../../shared/secrets/secrets.ts')
const { migratedDatabase } = await import('../../db/engine/dependency.ts')
const { serviceSealedColumns } = await import('../../db/sealed-columns.ts')
const { findSealedValues, replaceSealedValue } = await import('../../db/repos/operations/sealed-values.ts')

const secrets = createSecrets(config.serviceSecrets, config)
const db = exitIfMisconfigured(() => openDatabase(config.databaseUrl, { survives: 'powerLoss' }))
const log = createLog({ process: 'reseal', level: config.logLevel, pretty: !config.production })
await waitUntilReachable(migratedDatabase(db, config.databaseUrl), log).catch((error) => exitOnStartupError(log, error))

let done = 0
let left = 0
for (const column of serviceSealedColumns) {
  for await (const value of valuesOf(column)) {
    const opened = openedBy(value.sealed, column.contextOf(...value.row.map(String)))
    if (!opened) {
      const subject = `${column.name} ${value.row.join(':')}`
      console.error(`The ${subject} cannot be opened with any configured SERVICE_SECRET: ${column.advice}.`)
      left += 1
      continue
    }
    const { resealed } = opened
    if (resealed === undefined) continue
    await db.tx((tx) => replaceSealedValue(tx, column, value, resealed))
    done += 1
  }
}
console.log(`${done} resealed, ${left} left.`)
await db.close()
process.exitCode = left > 0 ? 1 : 0

async function* valuesOf(column: ServiceSealedColumn): AsyncGenerator<SealedValue> {
  for (let after: SealedValue['row'] | undefined; ; ) {
    const batch = await findSealedValues(db.read, column, { after, at: systemClock.now(), limit: batchSize })
    yield* batch
    const last = batch.at(-1)
    if (!last) return
    after = last.row
  }
}

/** Reseals a secret. Returns undefined if no service secret opens it. `resealed` is undefined if that is not needed. */
function openedBy(sealed: Buffer, context: SealContext): { resealed: Buffer | undefined } | undefined {
  try {
    return { resealed: secrets.reseal(sealed, context) }
  } catch {
    return undefined
  }
}
