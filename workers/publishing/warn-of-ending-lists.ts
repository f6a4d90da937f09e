import { findEndingLists } from '../../db/repos/status/standing-of-lists.ts'
import type { WorkerDeps } from '../handlers.ts'

const mostNamed = 20

/** Warns of status lists that end within two days, or have ended, because their renewal did not come. */
export async function warnOfEndingLists({ db, clock, log }: Pick<WorkerDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  const lists = await findEndingLists(db.read, clock.now(), mostNamed)
  if (lists.length > 0) log.warn({ lists }, 'status lists end soon and were not renewed')
}
