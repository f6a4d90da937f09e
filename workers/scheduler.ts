import type { Bus } from '../shared/jobs/bus.ts'
import { type QueueName, queues } from '../shared/jobs/definition.ts'
import { definitionOf, isJobName, type JobName, jobs } from '../shared/jobs/registry.ts'
import type { WorkerDeps } from './handlers.ts'

const lookEveryMs = 30_000

/**
 * Makes every job of the registry with `everyMs` run by itself; any number of processes may do this. Looks again from time
 * to time, because a Redis that lost its data has lost the schedules too.
 */
export function startScheduler({ bus, log }: WorkerDeps): { stop(): Promise<void> } {
  let looking: Promise<void> | undefined

  function look(): void {
    looking ??= scheduleAll(bus)
      .catch((err) => log.warn({ err }, 'the schedules could not be looked at'))
      .finally(() => {
        looking = undefined
      })
  }

  look()
  const timer = setInterval(look, lookEveryMs)
  return {
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}

async function scheduleAll(bus: Bus): Promise<void> {
  for (const name of Object.keys(jobs)) {
    if (!isJobName(name)) continue
    const { everyMs } = definitionOf(name)
    if (everyMs !== undefined) await schedule(bus, name, everyMs)
  }
  for (const queue of queues) await unscheduleMoved(bus, queue)
}

/** What an earlier version ran on this queue, and this one runs on another or not by itself. What is not known here may be a later one's. */
async function unscheduleMoved(bus: Bus, queue: QueueName): Promise<void> {
  for (const { key } of await bus.queue(queue).getJobSchedulers()) {
    if (isJobName(key) && (definitionOf(key).queue !== queue || definitionOf(key).everyMs === undefined))
      await bus.queue(queue).removeJobScheduler(key)
  }
}

async function schedule(bus: Bus, name: JobName, everyMs: number): Promise<void> {
  const { queue, attempts, backoffMs } = definitionOf(name)
  const standing = await bus.queue(queue).getJobScheduler(name)
  // One whose next run is long past has lost the job that would have planned the one after it.
  const isAlive = standing?.every === everyMs && (standing.next ?? 0) > Date.now() - everyMs - lookEveryMs
  if (isAlive) return
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
