import type { Bus } from './bus.ts'
import type { Outcomes } from './definition.ts'
import {
  type AnswerOf,
  definitionOf,
  type ItemOf,
  isJobName,
  type JobsOf,
  jobs,
  type Payload,
  type Result,
  type SharedJob,
} from './registry.ts'
import { createSigningQueue, type QueuePosition } from './signing-queue.ts'

/** How long the answer is waited for, by `performance.now()`; the service's deadline from now where nothing is said. */
interface Patience {
  deadlineAt?: number | undefined
}

/**
 * What can be asked of the signing process: the jobs of its queue, each of one purpose; there is no "sign these bytes".
 * Throws `service_unavailable` at the deadline, and the problem for which the job refused.
 */
export interface Keys {
  /** Asks a job that many share at once. `weight` is how many values there are to sign, 1 where nothing is said. */
  request<Name extends SharedJob>(
    name: Name,
    item: ItemOf<Name>,
    options?: Patience & { weight?: number },
  ): Promise<AnswerOf<Name>>
  /** Asks a job of its own. */
  call<Name extends Exclude<JobsOf<'signing'>, SharedJob>>(
    name: Name,
    payload: Payload<Name>,
    options?: Patience,
  ): Promise<Result<Name>>
}

type Ask = (item: unknown, place: QueuePosition) => Promise<unknown>

export function createKeys(bus: Bus, deadlineMs: number): Keys {
  const lanes = new Map<string, Ask>()
  for (const name of Object.keys(jobs)) {
    if (!isJobName(name)) continue
    const { lanes: limits } = definitionOf(name)
    if (limits)
      lanes.set(
        name,
        createSigningQueue(limits, (items, leftMs) => ask(name as SharedJob, items, leftMs)),
      )
  }

  // Boundary: a lane carries the items of one job, which `request` typed.
  async function ask(name: SharedJob, items: unknown[], leftMs: number): Promise<Outcomes<unknown>> {
    return bus.call(name, { items } as never, { deadlineMs: leftMs })
  }

  const deadlineOf = ({ deadlineAt }: Patience) => deadlineAt ?? performance.now() + deadlineMs
  return {
    async request(name, item, options = {}) {
      const lane = lanes.get(name)
      if (!lane) throw new Error(`the registry has no lanes for ${name}`)
      const place = { tenantId: item.tenantId, deadlineAt: deadlineOf(options), weight: options.weight ?? 1 }
      // Boundary: the job answers each item as its row says.
      return (await lane(item, place)) as AnswerOf<typeof name>
    },
    call(name, payload, options = {}) {
      return bus.call(name, payload, { deadlineMs: Math.max(deadlineOf(options) - performance.now(), 1) })
    },
  }
}
