import { setTimeout as sleep } from 'node:timers/promises'

/** What was measured is good for so long: several who scrape share it. */
const keptMs = 5_000
/** Whoever scrapes waits so long, and is then told what was known before. */
const patienceMs = 2_000

/**
 * Measures when it is asked to, at most once in five seconds and once at a time: what it asks of a database that is slow piles up neither
 * there nor here. `measure` does not fail: what it cannot learn it leaves out.
 */
export function createMeasured(
  measure: () => Promise<void>,
  { now = () => performance.now(), waitMs = patienceMs } = {},
): () => Promise<void> {
  let under: Promise<void> | undefined
  let measuredAt = Number.NEGATIVE_INFINITY

  return async () => {
    if (now() - measuredAt < keptMs) return
    under ??= measure().finally(() => {
      measuredAt = now()
      under = undefined
    })
    await Promise.race([under, sleep(waitMs, undefined, { ref: false })])
  }
}
