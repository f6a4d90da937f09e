import { emptyQueues, hasQueues } from '../../db/queue/empty-queues.ts'
import { areQueuesInUse } from '../../db/queue/machine-lease.ts'
import type { WorkerDeps } from './handlers.ts'

/**
 * Empties the queues of a database that the service no longer uses, because its queues are in Redis now. Reports to Redis that jobs were lost,
 * so that they are queued again from their rows. Redis can have schedules and jobs of an earlier use, so the scheduler would not report it.
 * Throws while other processes still use the queues in the database.
 */
export async function leaveDatabaseQueues({
  bus,
  db,
  clock,
  log,
}: Pick<WorkerDeps, 'bus' | 'db' | 'clock' | 'log'>): Promise<void> {
  if (bus.queueIn !== 'redis' || !(await hasQueues(db))) return
  if (await areQueuesInUse(db)) throw new Error(inUse)
  await bus.reportEmptied(clock.now())
  const jobs = await emptyQueues(db)
  log.info({ jobs }, 'queues are in redis now, the jobs in the database are queued again from their rows')
}

const inUse =
  'Other processes have their queues in the database, or had them a few seconds ago. Set the same QUEUE and REDIS_URL for all processes.'
