import { fromWireProblem, Problem } from '../errors.ts'
import { createFairQueue } from '../flow/fair-queue.ts'
import type { Outcomes, SigningQueueLimits } from './definition.ts'

/** Where a request waits, and how long. */
export interface QueuePosition {
  tenantId: string
  /** By `performance.now()`: when whoever asked is told that there was no time. It runs from the request's arrival. */
  deadlineAt: number
  /** What it costs beside others, in values to be signed. */
  weight: number
}

interface Waiting<Item, Result> extends QueuePosition {
  item: Item
  settle(outcome: { ok: Result } | { error: unknown }): void
}

/**
 * Shares jobs among the requests of a moment: one alone goes at once, under load the queue's cost is divided by the size
 * of the job. Tenants are served in turn (flow/fair-queue.ts).
 *
 * The function that is returned rejects with `service_unavailable` at the request's deadline, wherever it waits, and at
 * once when the line is full; with `NeverSent` where no job has it.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a thing with a lifetime, of small functions that share its state
export function createSigningQueue<Item, Result>(
  limits: SigningQueueLimits,
  send: (items: Item[], deadlineMs: number) => Promise<Outcomes<Result>>,
): (item: Item, place: QueuePosition) => Promise<Result> {
  const turns = createFairQueue<Waiting<Item, Result>>(limits)
  let underWay = 0
  let inCompany = false
  let filling: NodeJS.Timeout | undefined
  let sending: NodeJS.Immediate | undefined

  /** Sends the next job at once, or when it had time to fill. */
  function plan(): void {
    if (sending || turns.size === 0 || underWay >= limits.inFlight) return
    const pauseMs = turns.size >= limits.items ? 0 : pauseNow()
    if (pauseMs === 0) sending = setImmediate(sendNext)
    else filling ??= setTimeout(sendNext, pauseMs)
  }

  function pauseNow(): number {
    if (underWay > 0) return limits.fillMs
    return limits.gatherMs ?? (inCompany ? (limits.gatherInCompanyMs ?? 0) : 0)
  }

  function sendNext(): void {
    stopFilling()
    sending = undefined
    const batch = turns.take()
    // Whatever waits now has its tenant's share under way; it goes when that is back.
    if (batch.length === 0) return
    inCompany = batch.length > 1
    void run(batch)
    plan()
  }

  function stopFilling(): void {
    clearTimeout(filling)
    filling = undefined
  }

  async function run(batch: Waiting<Item, Result>[]): Promise<void> {
    underWay++
    const deadlineMs = Math.max(...batch.map(({ deadlineAt }) => deadlineAt)) - performance.now()
    const items = batch.map(({ item }) => item)
    const outcomes = await send(items, Math.max(deadlineMs, 1)).then(
      (answer) => answer.outcomes.map(read),
      (error: unknown) => batch.map(() => ({ error })),
    )
    const missing = { error: new Error('a job came back with an outcome missing') }
    for (const [position, { settle }] of batch.entries()) settle(outcomes[position] ?? missing)
    underWay--
    turns.release(batch)
    stopFilling()
    plan()
  }

  return (item, place) =>
    new Promise((resolve, reject) => {
      const leftMs = place.deadlineAt - performance.now()
      const leave = () => {
        reject(turns.remove(waiting) ? new NeverSent() : noTime())
      }
      const waiting: Waiting<Item, Result> = {
        ...place,
        item,
        settle(outcome) {
          clearTimeout(timer)
          if ('ok' in outcome) resolve(outcome.ok)
          else reject(outcome.error)
        },
      }
      if (leftMs <= 0 || !turns.add(waiting)) return reject(new NeverSent())
      const timer = setTimeout(leave, leftMs)
      plan()
    })
}

function read<Result>(outcome: Outcomes<Result>['outcomes'][number]): { ok: Result } | { error: unknown } {
  return 'problem' in outcome ? { error: fromWireProblem(outcome.problem) } : outcome
}

const later = { retryAfterSeconds: 2 }

function noTime(): Problem {
  return new Problem('service_unavailable', later)
}

/** `service_unavailable` before anything was asked for: the line was full, or the time ran out in it. */
export class NeverSent extends Problem {
  constructor() {
    super('service_unavailable', later)
  }
}
