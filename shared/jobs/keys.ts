import { Problem } from '../errors/errors.ts'
import { createSlots } from '../flow/slots.ts'
import { type Tracing, tracing } from '../tracing/tracing.ts'
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

interface WaitOptions {
  /** The end of the wait, by `performance.now()`. Default: the deadline of the service, from now. */
  deadlineAt?: number | undefined
}

/**
 * The requests to the signing process: the jobs of its queue, each with one purpose. No job signs arbitrary bytes.
 * Throws `service_unavailable` at the deadline, and the problem with which the job refused.
 */
export interface Keys {
  /** Returns whether a signing process took requests within the last seconds. */
  hasSigner(): boolean
  /** Sends an item of a job that several callers share. `weight` is the number of values to sign. Default: 1. */
  request<Name extends SharedJob>(
    name: Name,
    item: ItemOf<Name>,
    options?: WaitOptions & { weight?: number },
  ): Promise<AnswerOf<Name>>
  /** Sends a job for one caller. A tenant has a few of these jobs at the same time, and its others wait here. */
  call<Name extends Exclude<JobsOf<'signing'>, SharedJob>>(
    name: Name,
    payload: Payload<Name> & { tenantId: string },
    options?: WaitOptions,
  ): Promise<Result<Name>>
}

/** A signing process runs 8 jobs at the same time (workers/start.ts), so that others of them are free for other tenants. */
const tenantLimits = { maxRunning: 4, maxWaiting: 200 }

type SendItem = (item: unknown, position: QueuePosition) => Promise<unknown>

export function createKeys(bus: Bus, deadlineMs: number): Keys {
  const keys = createUntracedKeys(bus, deadlineMs)
  return tracing ? tracedKeys(keys, tracing) : keys
}

/** Runs each request to the signing process in a span, whose `traceparent` goes with the request. */
function tracedKeys(keys: Keys, { span, carry }: Tracing): Keys {
  return {
    ...keys,
    request: (name, item, options) =>
      span('signing request', 'client', { 'trustwright.job': name }, (segment) =>
        keys.request(name, carry(item, segment), options),
      ),
    call: (name, payload, options) =>
      span('signing request', 'client', { 'trustwright.job': name }, () => keys.call(name, payload, options)),
  }
}

function createUntracedKeys(bus: Bus, deadlineMs: number): Keys {
  const signingQueues = createSigningQueues(bus)
  const tenantSlots = createSlots({ ...tenantLimits, deadlineMs })
  const deadlineOf = ({ deadlineAt }: WaitOptions) => deadlineAt ?? performance.now() + deadlineMs
  return {
    hasSigner: bus.hasSigner,
    async request(name, item, options = {}) {
      const send = signingQueues.get(name)
      if (!send) throw new Error(`The job ${name} has no signing queue in the registry.`)
      const position = { tenantId: item.tenantId, deadlineAt: deadlineOf(options), weight: options.weight ?? 1 }
      // Boundary: the registry types the outcome of each item.
      return (await send(item, position)) as AnswerOf<typeof name>
    },
    async call(name, payload, options = {}) {
      const deadlineAt = deadlineOf(options)
      const { tenantId } = payload
      if (!(await tenantSlots.take(tenantId))) throw unavailable()
      try {
        const leftMs = deadlineAt - performance.now()
        if (leftMs <= 0) throw unavailable()
        return await bus.call(name, payload, { deadlineMs: leftMs })
      } finally {
        tenantSlots.release(tenantId)
      }
    },
  }
}

function unavailable(): Problem {
  return new Problem('service_unavailable', { retryAfterSeconds: 2 })
}

function createSigningQueues(bus: Bus): Map<string, SendItem> {
  // Boundary: a queue carries the items of one job, which `request` types.
  const send = (name: SharedJob, items: unknown[], leftMs: number): Promise<Outcomes<unknown>> =>
    bus.call(name, { items } as never, { deadlineMs: leftMs })

  const created = new Map<string, SendItem>()
  for (const name of Object.keys(jobs)) {
    const limits = isJobName(name) ? definitionOf(name).signingQueue : undefined
    if (limits)
      created.set(
        name,
        createSigningQueue(limits, (items, leftMs) => send(name as SharedJob, items, leftMs)),
      )
  }
  return created
}
