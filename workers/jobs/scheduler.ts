import type { Bus } from '../../shared/jobs/bus.ts'
import { type QueueName, queues } from '../../shared/jobs/definition.ts'
import { definitionOf, isJobName, type JobName, jobs } from '../../shared/jobs/registry.ts'
import { createThrottledLog } from '../../shared/log/throttled-log.ts'
import type { WorkerDeps } from './handlers.ts'
import { leaveDatabaseQueues } from './leave-database-queues.ts'

type SchedulerDeps = Pick<WorkerDeps, 'bus' | 'db' | 'clock' | 'log'>

const checkEveryMs = 30_000
/** Redis can lose its data while processes run. Rows are only removed by a restore, before the processes start. */
const emptiedCheckMs = { redis: 2_000, database: 10_000 } as const

/**
 * Schedules the jobs of the registry that have `everyMs`. Several processes can do this. Checks the schedules every 30 s, and every 2 s
 * whether Redis was emptied (every 10 s, if the queues are in the database). Then it schedules all jobs again and reports the time, so that rows whose jobs were lost get new jobs. It does
 * the same for the jobs of queues that were in the database before.
 */
export function startScheduler(deps: SchedulerDeps): { stop(): Promise<void> } {
  const { bus, clock, log } = deps
  let checking: Promise<void> | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  let hasLeft = false
  const logFailure = createThrottledLog((fields: { err: unknown }) => log.warn(fields, 'schedule check failed'))

  async function checkOnce(): Promise<void> {
    if (!hasLeft) await leaveDatabaseQueues(deps)
    hasLeft = true
    const isEmptied = await hasNoSchedules(bus)
    if (!isEmptied && performance.now() - checkedAt < checkEveryMs) return
    checkedAt = Number.NEGATIVE_INFINITY
    if (isEmptied) await bus.reportEmptied(clock.now())
    await scheduleAll(bus)
    checkedAt = performance.now()
  }

  function check(): void {
    checking ??= checkOnce()
      .catch((err) => logFailure('check', { err }))
      .finally(() => {
        checking = undefined
      })
  }

  check()
  const timer = setInterval(check, emptiedCheckMs[bus.queueIn])
  return {
    async stop() {
      clearInterval(timer)
      await checking
    },
  }
}

/** Each version that can run at the same time has this schedule. */
async function hasNoSchedules(bus: Bus): Promise<boolean> {
  return !(await bus.queue('delivery').getJobScheduler('queueDueDeliveries'))
}

async function scheduleAll(bus: Bus): Promise<void> {
  for (const queue of queues) {
    const schedulers = await bus.queue(queue).getJobSchedulers()
    const stored = new Map(schedulers.map((scheduler) => [scheduler.key, scheduler]))
    for (const name of Object.keys(jobs)) {
      if (!isJobName(name) || definitionOf(name).queue !== queue) continue
      const { everyMs } = definitionOf(name)
      if (everyMs !== undefined) await schedule(bus, { name, everyMs, scheduled: stored.get(name) })
    }
    await removeOutdated(bus, queue, stored.keys())
  }
}

/**
 * Removes schedules of jobs that this version runs on another queue or without a schedule. An unknown job stays, because it can belong to a
 * later version.
 */
async function removeOutdated(bus: Bus, queue: QueueName, keys: Iterable<string>): Promise<void> {
  for (const key of keys) {
    if (isJobName(key) && (definitionOf(key).queue !== queue || definitionOf(key).everyMs === undefined))
      await bus.queue(queue).removeJobScheduler(key)
  }
}

interface Schedule {
  name: JobName
  everyMs: number
  /** The schedule that the queue has. */
  scheduled: { every?: number; next?: number } | undefined
}

async function schedule(bus: Bus, { name, everyMs, scheduled }: Schedule): Promise<void> {
  const { queue, attempts, backoffMs } = definitionOf(name)
  const inMs = (scheduled?.next ?? 0) - Date.now()
  // If the next run is long past, Redis has lost the job that schedules the run after it.
  const isLost = inMs <= -everyMs - checkEveryMs
  // A worker whose clock was ahead set the next run. An update of the schedule would keep its time.
  const isTooLate = inMs > everyMs + checkEveryMs
  if (scheduled?.every === everyMs && !isLost && !isTooLate) return
  if (isTooLate) await bus.queue(queue).removeJobScheduler(name)
  const template = {
    name,
    data: { payload: {} },
    opts: {
      attempts,
      backoff: { type: 'custom', delay: backoffMs },
      removeOnComplete: true,
      removeOnFail: { count: 100 },
    },
  }
  await bus.queue(queue).upsertJobScheduler(name, { every: everyMs }, template)
}
