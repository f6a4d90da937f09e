import { setTimeout as sleep } from 'node:timers/promises'

/** A measurement is valid for this time, so that several scrapers share it. */
const validForMs = 5_000
/** A scrape waits for this time. Then it gets the values of the last measurement. */
const defaultWaitMs = 2_000

/**
 * Returns a function that measures at most once in 5 s, and never twice at the same time. Queries to a slow database therefore do not
 * queue up. `measure` must not fail: it leaves out the values that it cannot read.
 */
export function createMeasured(
  measure: () => Promise<void>,
  { now = () => performance.now(), waitMs = defaultWaitMs } = {},
): () => Promise<void> {
  let running: Promise<void> | undefined
  let measuredAt = Number.NEGATIVE_INFINITY

  return async () => {
    if (now() - measuredAt < validForMs) return
    running ??= measure().finally(() => {
      measuredAt = now()
      running = undefined
    })
    await Promise.race([running, sleep(waitMs, undefined, { ref: false })])
  }
}
