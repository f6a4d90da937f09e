import { storeMissingNames } from '../../db/repos/issuance/configuration-names.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { minPauseMs, runUntil } from '../jobs/run-until.ts'

/** Settings can be large. A transaction reads this many of them. */
const batchSize = 50
/** A run ends before the next run, which continues where it stopped. */
const maxRunMs = 50_000

/** Stores the names of configurations that an earlier version of the service stored without them, in portions. */
export async function nameConfigurations({ db }: Pick<WorkerDeps, 'db'>): Promise<void> {
  await runUntil(async () => {
    const count = await db.tx((tx) => storeMissingNames(tx, batchSize))
    return count < batchSize ? undefined : minPauseMs
  }, performance.now() + maxRunMs)
}
