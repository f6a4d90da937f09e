import { findEndingLists } from '../../db/repos/status/list-metrics.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'

const maxListed = 20

/** Logs a warning about status lists that were not renewed and end within two days or have ended. */
export async function warnOfEndingLists({ db, clock, log }: Pick<WorkerDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  const lists = await findEndingLists(db.read, clock.now(), maxListed)
  if (lists.length > 0) log.warn({ lists }, 'status lists not renewed')
}
