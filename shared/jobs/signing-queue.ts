import { fromWireProblem, Problem } from '../errors/errors.ts'
import { createFairQueue, type Entry, type FairQueue } from '../flow/fair-queue.ts'
import { createSeveralTenants } from '../flow/several-tenants.ts'
import type { Outcomes, SigningQueueLimits } from './definition.ts'

/** The position of a request in the queue. */
export interface QueuePosition {
  tenantId: string
  /** When the request fails, by `performance.now()`. The time runs from the arrival of the request. */
  deadlineAt: number
  /** The number of values to sign. */
  weight: number
}

type Outcome<Result> = { ok: Result } | { error: unknown }

interface Waiting<Item, Result> extends QueuePosition {
  item: Item
  settle(outcome: Outcome<Result>): void
}

type Send<Item, Result> = (items: Item[], deadlineMs: number) => Promise<Outcomes<Result>>

/**
 * Collects concurrent requests into jobs. A single request is sent at once. Under load, all requests of a job share the cost of the
 * queue. Tenants are served round robin (flow/fair-queue.ts). `maxItemsBesideOthers` limits what a tenant waits for others.
 *
 * The returned function rejects with `service_unavailable` at the deadline of the request, and at once if too many requests wait. It
 * rejects with `NeverSent` if no job has the request.
 */
export function createSigningQueue<Item, Result>(
  limits: SigningQueueLimits,
  send: Send<Item, Result>,
): (item: Item, position: QueuePosition) => Promise<Result> {
  const queue = createFairQueue<Waiting<Item, Result>>(limits)
  const tenants = createSeveralTenants()
  const maxItemsOfOne = () => (tenants.areActive() ? limits.maxItemsBesideOthers : undefined)
  const scheduleSend = createScheduler({ limits, queue, maxItemsOfOne }, (batch) => runJob(batch, send))
  return (item, position) =>
    new Promise((resolve, reject) => {
      const leftMs = position.deadlineAt - performance.now()
      const waiting: Waiting<Item, Result> = {
        ...position,
        item,
        settle(outcome) {
          clearTimeout(timer)
          if ('ok' in outcome) resolve(outcome.ok)
          else reject(outcome.error)
        },
      }
      if (leftMs <= 0 || !queue.add(waiting)) return reject(new NeverSent())
      tenants.observe(position.tenantId)
      const expire = () => reject(queue.remove(waiting) ? new NeverSent() : deadlineExceeded())
      const timer = setTimeout(expire, leftMs)
      scheduleSend()
    })
}

interface Scheduled<Item, Result> {
  limits: SigningQueueLimits
  queue: FairQueue<Waiting<Item, Result>>
  /** Returns the maximum items of one tenant in a job, if it is less than for one tenant alone. */
  maxItemsOfOne(): number | undefined
}

/** Takes batches from the queue and runs them. Returns a function to call after each new item. */
function createScheduler<Item, Result>(
  { limits, queue, maxItemsOfOne }: Scheduled<Item, Result>,
  run: (batch: Waiting<Item, Result>[]) => Promise<void>,
): () => void {
  const { maxItems, maxJobs, fillMs, gatherMs, gatherAfterBatchMs = 0 } = limits
  let runningJobs = 0
  let lastWasBatch = false
  let fillTimer: NodeJS.Timeout | undefined
  let sending: NodeJS.Immediate | undefined

  /** Sends the next job at once, or after the time for collecting items, for which a tenant without a running job does not wait. */
  function schedule(): void {
    if (sending || queue.size === 0 || runningJobs >= maxJobs) return
    const pauseMs = currentPauseMs()
    const isForIdle = pauseMs > 0 && maxItemsOfOne() !== undefined && queue.hasIdleTenant()
    if (pauseMs === 0 || isForIdle) sending = setImmediate(sendNext, isForIdle)
    else fillTimer ??= setTimeout(sendNext, pauseMs, false)
  }

  function currentPauseMs(): number {
    if (queue.size >= (maxItemsOfOne() ?? maxItems)) return 0
    if (runningJobs > 0) return fillMs
    return gatherMs ?? (lastWasBatch ? gatherAfterBatchMs : 0)
  }

  function sendNext(isForIdle: boolean): void {
    stopTimer()
    sending = undefined
    // The last free job is for a tenant without a running job.
    const batch = takeBatch(queue, maxItemsOfOne(), isForIdle || runningJobs === maxJobs - 1)
    // The tenants of all waiting items have reached their limit. The next job is sent when a running job ends.
    if (batch.length === 0) return
    lastWasBatch = batch.length > 1
    void runBatch(batch)
    schedule()
  }

  async function runBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    runningJobs++
    await run(batch)
    runningJobs--
    queue.release(batch)
    stopTimer()
    schedule()
  }

  function stopTimer(): void {
    clearTimeout(fillTimer)
    fillTimer = undefined
  }

  return schedule
}

/** Takes the next batch. `isForIdle` applies while several tenants are active. */
function takeBatch<Each extends Entry>(
  queue: FairQueue<Each>,
  maxItemsOfOne: number | undefined,
  isForIdle: boolean,
): Each[] {
  return maxItemsOfOne === undefined ? queue.take() : queue.takeApart({ maxItemsOfOne, isForIdle })
}

/** Sends a batch and settles its items. Never rejects. */
async function runJob<Item, Result>(batch: Waiting<Item, Result>[], send: Send<Item, Result>): Promise<void> {
  const deadlineMs = Math.max(...batch.map(({ deadlineAt }) => deadlineAt)) - performance.now()
  const items = batch.map(({ item }) => item)
  const outcomes = await send(items, Math.max(deadlineMs, 1)).then(
    (answer) => answer.outcomes.map(readOutcome),
    (error: unknown) => batch.map(() => ({ error })),
  )
  const missing = { error: new Error('The job returned no outcome for an item.') }
  for (const [index, { settle }] of batch.entries()) settle(outcomes[index] ?? missing)
}

function readOutcome<Result>(outcome: Outcomes<Result>['outcomes'][number]): Outcome<Result> {
  return 'problem' in outcome ? { error: fromWireProblem(outcome.problem) } : outcome
}

const later = { retryAfterSeconds: 2 }

function deadlineExceeded(): Problem {
  return new Problem('service_unavailable', later)
}

/** `service_unavailable` for a request that no job has: too many requests waited, or its deadline passed in the queue. */
export class NeverSent extends Problem {
  constructor() {
    super('service_unavailable', later)
  }
}
