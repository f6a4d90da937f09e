import type { Signals } from '../engine/postgres-signals.ts'

/** Counts the notifications of new jobs by queue. */
export interface JobNotifications {
  /** Returns a number that changes with each notification of the queue. */
  count(queue: string): number
  /** Returns whether the process has begun to receive notifications. */
  isListening(): boolean
  /** Resolves with true when the queue has another count than `seen`. Resolves with false after `timeoutMs`, or when `cancelled` aborts. */
  waitForOther(queue: string, seen: number, timeoutMs: number, cancelled: AbortSignal): Promise<boolean>
  close(): void
}

/** The channel of BullMQ. The payload is the name of a queue. */
const channel = 'bullmq_jobs'

/** Listens from the first wait on, so that a process without workers has no connection for it. */
export function createJobNotifications(listen: Signals['listen']): JobNotifications {
  const counts = new Map<string, number>()
  const waiting = new Set<{ queue: string; wake(): void }>()
  let ofAll = 0
  let stop: (() => void) | undefined

  function receive(queue?: string): void {
    if (queue) counts.set(queue, (counts.get(queue) ?? 0) + 1)
    else ofAll++
    for (const waiter of [...waiting]) if (!queue || waiter.queue === queue) waiter.wake()
  }
  const count = (queue: string) => ofAll + (counts.get(queue) ?? 0)

  return {
    count,
    // The first call of `receive` is when the connection begins to receive them.
    isListening: () => ofAll > 0,
    async waitForOther(queue, seen, timeoutMs, cancelled) {
      stop ??= listen(channel, receive)
      if (cancelled.aborted) return false
      if (count(queue) !== seen) return true
      return new Promise((resolve) => {
        const end = (isNotified: boolean) => {
          clearTimeout(timer)
          cancelled.removeEventListener('abort', cancel)
          waiting.delete(waiter)
          resolve(isNotified)
        }
        const cancel = () => end(false)
        const timer = setTimeout(end, timeoutMs, false)
        const waiter = { queue, wake: () => end(true) }
        waiting.add(waiter)
        cancelled.addEventListener('abort', cancel)
      })
    },
    close: () => stop?.(),
  }
}
