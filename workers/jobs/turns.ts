import { setImmediate } from 'node:timers/promises'

/** The time for which signatures and checks may block the event loop. A signature takes about 0.1 ms. */
const turnMs = 1

let endsAt = Number.NEGATIVE_INFINITY
let next: Promise<void> | undefined

/** Lets other jobs run if the turn is over. All batches of the process share the turn, so that their times do not add up. */
export async function letOthersRun(): Promise<void> {
  if (performance.now() < endsAt) return
  next ??= setImmediate().then(() => {
    next = undefined
    endsAt = performance.now() + turnMs
  })
  await next
}
