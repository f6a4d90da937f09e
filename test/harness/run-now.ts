import { newId } from '../../shared/ids.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import type { QueueName } from '../../shared/jobs/definition.ts'
import { definitionOf, type JobName, type Payload } from '../../shared/jobs/registry.ts'
import { eventually } from './harness.ts'

type ScheduledJob = { [Name in JobName]: Record<string, never> extends Payload<Name> ? Name : never }[JobName]

/**
 * Runs a scheduled job now. Waits until the job has ended and the queue that it fills is empty. So all work that is
 * due by then is done, on a machine of any speed.
 */
export async function runNow(bus: Bus, name: ScheduledJob, fills?: QueueName): Promise<void> {
  const id = `now-${newId()}`
  await bus.send(name, {} as Payload<typeof name>, { id })
  await eventually(async () => (await bus.queue(definitionOf(name).queue).getJob(id)) === undefined)
  if (!fills) return
  await eventually(async () => {
    const left = await bus.queue(fills).getJobs(['waiting', 'prioritized', 'active', 'delayed'])
    return left.every((job) => job?.repeatJobKey !== undefined)
  })
}
