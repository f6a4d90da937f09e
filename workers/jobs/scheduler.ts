import type { Bus } from '../../shared/jobs/bus.ts'
import { type QueueName, queues } from '../../shared/jobs/definition.ts'
import { definitionOf, isJobName, type JobName, jobs } from '../../shared/jobs/registry.ts'
import { createThrottledLog } from '../../shared/log/throttled-log.ts'
import type { WorkerDeps } from './handlers.ts'
import { leaveDatabaseQueues } from './leave-database-queues.ts'

type SchedulerDeps = Pick<WorkerDeps, 'bus' | 'db' | 'clock' | 'log'>

const checkEveryMs = 30_000
const emptiedCheckMs = 2_000

/**
 * Schedules the jobs of the registry that have `everyMs`. Several processes can do this. Checks the schedules every 30 s, and every 2 s
 * whether Redis was emptied. Then it schedules all jobs again and reports the time, so that rows whose jobs were lost get new jobs. It does
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
  const timer = setInterval(check, emptiedCheckMs)
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
  for (const name of Object.keys(jobs)) {
    if (!isJobName(name)) continue
    const { everyMs } = definitionOf(name)
    if (everyMs !== undefined) await schedule(bus, name, everyMs)
  }
  for (const queue of queues) await removeOutdated(bus, queue)
}

/**
 * Removes schedules of jobs that this version runs on another queue or without a schedule. An unknown job stays, because it can belong to a
 * later version.
 */
async function removeOutdated(bus: Bus, queue: QueueName): Promise<void> {
  for (const { key } of await bus.queue(queue).getJobSchedulers()) {
    if (isJobName(key) && (definitionOf(key).queue !== queue || definitionOf(key).everyMs === undefined))
      await bus.queue(queue).removeJobScheduler(key)
  }
}

async function schedule(bus: Bus, name: JobName, everyMs: number): Promise<void> {
  const { queue, attempts, backoffMs } = definitionOf(name)
  const scheduled = await bus.queue(queue).getJobScheduler(name)
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
