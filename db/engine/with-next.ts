import { AsyncResource } from 'node:async_hooks'
import type { Database } from './database.ts'

type Transact = Database['txAtOnce']

/**
 * Lets transactions that can wait begin in the same tick as the next one of this process, so that both drivers commit them together
 * (group-commit.ts, postgres-ticks.ts). `followed` wraps a function whose transactions take the waiting ones along.
 */
export function createWithNext(txAtOnce: Transact): {
  txWithNext: Database['txWithNext']
  followed(tx: Transact): Transact
} {
  const waiting = new Set<{ readyAt: number; start(): void }>()

  function startReady(): void {
    const now = performance.now()
    for (const { readyAt, start } of waiting) if (readyAt <= now) start()
  }

  return {
    txWithNext: (work, { afterMs = 0, withinMs, ...options }) =>
      new Promise((resolve, reject) => {
        // The next transaction belongs to another request.
        const start = AsyncResource.bind(() => {
          clearTimeout(timer)
          waiting.delete(entry)
          txAtOnce(work, options).then(resolve, reject)
        })
        const entry = { readyAt: performance.now() + afterMs, start }
        const timer = setTimeout(start, withinMs)
        waiting.add(entry)
      }),
    followed: (tx) => (work, options) => {
      const result = tx(work, options)
      startReady()
      return result
    },
  }
}
