import { createFairQueue, type Entry } from '../../../../shared/flow/fair-queue.ts'
import type { SignerLimits } from '../../../../shared/settings/key-signers.ts'
import { KeyProviderUnavailable } from '../provider.ts'

export type CallLimits = Pick<SignerLimits, 'callsPerSecond' | 'concurrency' | 'waiting'>

/** The calls to a signer: limited at the same time and per second, and fair between tenants. */
export interface CallQueue {
  /**
   * Runs a call when the limits allow it. Rejects with KeyProviderUnavailable if the call could not start before its deadline (by
   * `performance.now()`), or at once if too many calls wait.
   */
  run<Result>(tenantId: string, deadlineAt: number, call: () => Promise<Result>): Promise<Result>
  /** Starts no call for this time, because the signer asked for it. */
  pause(ms: number): void
  /** Rejects all waiting calls. */
  close(): void
}

interface WaitingCall extends Entry {
  start(): void
  reject(reason: string): void
}

const windowMs = 1_000

export function createCallQueue(name: string, { callsPerSecond, concurrency, waiting }: CallLimits): CallQueue {
  // A tenant alone can fill half of the queue.
  const limitsOfWaiting = { maxWaiting: waiting, maxWaitingPerTenant: Math.ceil(waiting / 2) }
  const queue = createFairQueue<WaitingCall>({ maxItems: 1, maxWeight: concurrency, ...limitsOfWaiting })
  const rate = createRate(callsPerSecond)
  const unfinished = new Set<WaitingCall>()
  let running = 0
  let timer: NodeJS.Timeout | undefined

  function startAll(): void {
    clearTimeout(timer)
    timer = undefined
    while (running < concurrency && queue.size > 0) {
      const waitMs = rate.waitMs()
      if (waitMs > 0) {
        timer = setTimeout(startAll, waitMs)
        return
      }
      const [next] = queue.take()
      if (!next) return
      running++
      rate.count()
      next.start()
    }
  }

  /** Resolves when the call may start. The caller must release it. */
  function waitForStart(tenantId: string, deadlineAt: number): Promise<WaitingCall> {
    return new Promise((resolve, reject) => {
      const call = createWaitingCall(name, tenantId, { deadlineAt, resolve, reject, onSettled })
      unfinished.add(call)
      if (!queue.add(call)) return call.reject('too many calls wait')
      startAll()
    })
  }

  function onSettled(call: WaitingCall): void {
    unfinished.delete(call)
    queue.remove(call)
  }

  return {
    async run(tenantId, deadlineAt, call) {
      const entry = await waitForStart(tenantId, deadlineAt)
      try {
        return await call()
      } finally {
        running--
        queue.release([entry])
        startAll()
      }
    },
    pause: (ms) => rate.pause(ms),
    close() {
      clearTimeout(timer)
      for (const each of unfinished) each.reject('the process stops')
    },
  }
}

interface Settling {
  /** The time of the rejection, by `performance.now()`. */
  deadlineAt: number
  resolve(call: WaitingCall): void
  reject(error: Error): void
  /** Called before the call starts or is rejected. */
  onSettled(call: WaitingCall): void
}

function createWaitingCall(
  name: string,
  tenantId: string,
  { deadlineAt, resolve, reject, onSettled }: Settling,
): WaitingCall {
  const call: WaitingCall = {
    tenantId,
    weight: 1,
    start() {
      settle()
      resolve(call)
    },
    reject(reason) {
      settle()
      reject(new KeyProviderUnavailable(`The key provider ${name} is not available: ${reason}.`))
    },
  }
  const late = setTimeout(call.reject, Math.max(0, deadlineAt - performance.now()), 'calls wait too long')
  function settle(): void {
    clearTimeout(late)
    onSettled(call)
  }
  return call
}

/** Limits the starts within each second. */
function createRate(callsPerSecond: number) {
  /** The times of the last starts, as a ring. */
  const startedAt = new Float64Array(callsPerSecond).fill(Number.NEGATIVE_INFINITY)
  let next = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
  return {
    /** Returns the time until a call may start. */
    waitMs(): number {
      const now = performance.now()
      const freeAt = (startedAt[next] ?? 0) + windowMs
      // A timer can fire a millisecond early.
      return Math.ceil(Math.max(0, freeAt - now, pausedUntil - now))
    },
    count(): void {
      startedAt[next] = performance.now()
      next = (next + 1) % callsPerSecond
    },
    pause(ms: number): void {
      pausedUntil = Math.max(pausedUntil, performance.now() + ms)
    },
  }
}
