import type { Bus } from '../shared/jobs/bus.ts'
import { definitionOf, isJobName, jobs } from '../shared/jobs/registry.ts'

/** Makes every job of the registry with `everyMs` run by itself; any number of processes may do this. */
export async function schedule(bus: Bus): Promise<void> {
  for (const name of Object.keys(jobs)) {
    if (!isJobName(name)) continue
    const { queue, everyMs, attempts } = definitionOf(name)
    if (everyMs === undefined) continue
    const template = {
      name,
      data: { payload: {} },
      opts: { attempts, removeOnComplete: true, removeOnFail: { count: 100 } },
    }
    await bus.queue(queue).upsertJobScheduler(name, { every: everyMs }, template)
  }
}
