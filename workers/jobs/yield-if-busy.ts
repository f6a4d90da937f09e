import { setImmediate } from 'node:timers/promises'

/** The time for which signatures and checks may block the event loop. A signature takes about 0.1 ms. */
const busyMs = 1

let endsAt = Number.NEGATIVE_INFINITY
let next: Promise<void> | undefined

/** Lets other jobs run if the process was busy for `busyMs`. All batches of the process share this time, so that their times do not add up. */
export async function yieldIfBusy(): Promise<void> {
  if (performance.now() < endsAt) return
  next ??= setImmediate().then(() => {
    next = undefined
    endsAt = performance.now() + busyMs
  })
  await next
}
