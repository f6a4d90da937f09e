import { readFileSync } from 'node:fs'

/**
 * Moves the clock of a process and its threads, loaded with `--import`. The file MOVED_CLOCK names has the milliseconds by which the clock is
 * ahead. All processes read the same file. `performance.now()` moves too, so that entries of caches end. Timers do not move.
 */
const file = process.env.MOVED_CLOCK ?? ''
/** The test that moves the clock waits longer before its next request. */
const validForMs = 5

const realDate = Date
const realNow = Date.now.bind(Date)
const realMonotonic = performance.now.bind(performance)
let reading = { aheadMs: 0, readAt: Number.NEGATIVE_INFINITY }

function aheadMs(): number {
  const at = realMonotonic()
  if (at - reading.readAt >= validForMs) reading = { aheadMs: Number(readFileSync(file, 'utf8')), readAt: at }
  return reading.aheadMs
}

Date.now = () => realNow() + aheadMs()
performance.now = () => realMonotonic() + aheadMs()
// A proxy, because dates that the runtime creates must stay instances of `Date`.
globalThis.Date = new Proxy(realDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [target.now()], newTarget),
})
