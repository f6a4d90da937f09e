import { randomUUID } from 'node:crypto'
import type { Queue } from 'bullmq'
import type { Clock } from '../../shared/clock.ts'
import type { Counters } from '../../shared/counters.ts'
import { Problem } from '../../shared/errors/errors.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import { queues } from '../../shared/jobs/definition.ts'
import type { JobName } from '../../shared/jobs/registry.ts'
import type { WaitingEvents } from '../../shared/jobs/waiting-events.ts'
import type { MemoryQueue } from './memory-queue.ts'

export interface MemoryBusOptions {
  clock: Clock
  queue: MemoryQueue
  /** While it returns true, all calls fail as without Redis. */
  isAway(): boolean
  /** Returns how many times a job is queued: 1, or 0 or 2 for a fault. */
  copiesOf(name: JobName, payload: unknown): number
  /** Runs a job for a caller that waits for its result. */
  run(name: JobName, payload: unknown): Promise<unknown>
}

/** A shorter delay ends within a step of the simulation. */
const shortDelayMs = 60_000

/** The bus without Redis. Payloads and results are copied as JSON. */
export function createMemoryBus({ clock, queue, isAway, copiesOf, run }: MemoryBusOptions): Bus {
  const requireReachable = () => {
    if (isAway()) throw new Problem('service_unavailable', { retryAfterSeconds: 2 })
  }

  function add(name: JobName, payload: unknown, { id, delayMs = 0, priority = 0 }: Parameters<Bus['send']>[2] = {}) {
    const copies = copiesOf(name, payload)
    const startsAt = delayMs < shortDelayMs ? 0 : clock.now().getTime() + delayMs
    for (let copy = 0; copy < copies; copy++) {
      // The second copy has another id, because a queue ignores an id that it has.
      const ofCopy = copy === 0 && id !== undefined ? id : randomUUID()
      queue.add({ id: ofCopy, name, payload: copied(payload), priority, startsAt })
    }
  }

  return {
    queueIn: 'redis',
    connected: Promise.resolve(),
    waitingEvents: noWaitingEvents,
    hasSigner: () => true,
    hasSignerOnMachine: () => true,
    answerDirectly: () => () => undefined,
    async send(name, payload, options) {
      requireReachable()
      add(name, payload, options)
    },
    async sendMany(name, entries) {
      requireReachable()
      for (const { payload, options } of entries) add(name, payload, options)
    },
    async call(name, payload) {
      requireReachable()
      // The caller of a lost job waits until its deadline.
      if (copiesOf(name, payload) === 0) throw new Problem('service_unavailable', { retryAfterSeconds: 2 })
      // Boundary: the registry types the result of each job.
      return copied(await run(name, copied(payload))) as never
    },
    async addJob({ id, name, data }) {
      requireReachable()
      queue.add({ id, name: name as JobName, payload: data.payload })
    },
    poke: () => undefined,
    ping: async () => requireReachable(),
    requireWritable: async () => requireReachable(),
    clockAheadMs: async () => 0,
    emptiedAt: async () => undefined,
    reportEmptied: async () => undefined,
    redisSettings: async () => ({ evictionPolicy: 'noeviction', isPersistent: true }),
    sentinelFaults: async () => [],
    signingStatus: async () => ({
      keyProviders: [],
      ...{ isRunning: true, hasOtherSecret: false, cannotOpenKeys: false, clocksAheadMs: [] },
    }),
    acquireMetricsLease: async () => true,
    releaseMetricsLease: async () => undefined,
    counters: uncounted,
    dailyCounters: uncounted,
    depths: async () => Object.fromEntries(queues.map((name) => [name, {}])) as never,
    queueStatuses: async () => [],
    // Boundary: the queues in memory keep no failed jobs. Nothing else is asked of a queue.
    queue: () => ({ clean: async () => [] }) as unknown as Queue,
    close: async () => undefined,
  }
}

/** The simulation sends the requests of hours within milliseconds. Limits do not apply. */
const uncounted: Counters = { count: async () => ({ count: 1, forgottenInMs: 0 }) }

/** Only web processes of an earlier version append events to a list in Redis. */
const noWaitingEvents: WaitingEvents = {
  read: async () => ({ events: [], unreadable: [], entries: 0, position: 0 }),
  remove: async () => 0,
  count: async () => 0,
  waitsSince: async () => undefined,
}

function copied(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
