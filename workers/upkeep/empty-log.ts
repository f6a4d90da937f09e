import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from '../../shared/flow/batch.ts'
import type { WorkerDeps } from '../handlers.ts'
import { Postpone } from '../serve.ts'

/** Each holds up this process and others' writes for 50 ms at most. */
const tries = 5
/** Others read and write in moments, and have several times as long for it as they are held up. */
const pauseMs = 150
/** After tries that all failed, and before the next ones. */
const restMs = 1_500
/** Before the log is emptied for those who asked meanwhile. */
const gatherMs = 200
/** More than there are jobs at once; and longer than all tries. */
const limits = { maxItems: 1_000, deadlineMs: 10_000 }

/**
 * Makes a function that empties the log of the database of what was committed before it was called. However many call it, the log
 * is emptied a few times a second at most: those who call while that is done share the next time. Where others are in the way
 * all the time it throws `Postpone`, to all who ask within the next moments.
 */
export function createEmptyLog({ db }: Pick<WorkerDeps, 'db'>): () => Promise<void> {
  let restsUntil = 0
  let endedAt = Number.NEGATIVE_INFINITY

  async function empty(): Promise<void> {
    const gatherForMs = endedAt + gatherMs - performance.now()
    if (gatherForMs > 0) await sleep(gatherForMs)
    const restsForMs = restsUntil - performance.now()
    if (restsForMs > 0) throw new Postpone(Math.ceil(restsForMs))
    for (let tried = 0; tried < tries; tried++) {
      if (await db.emptyLog()) return
      await sleep(pauseMs * (0.5 + Math.random()))
    }
    restsUntil = performance.now() + restMs
    throw new Postpone(restMs)
  }

  const together = createBatcher<undefined, undefined>(limits, async (all) => {
    try {
      await empty()
      return all
    } finally {
      endedAt = performance.now()
    }
  })
  return () => together('', undefined)
}
