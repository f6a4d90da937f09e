import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from '../../shared/flow/batch.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { Postpone } from '../serve.ts'

/** A try blocks this process and the writes of others for at most 50 ms. */
const maxTries = 5
/** Between two tries other reads and writes have several times as long as a try blocks them. */
const pauseMs = 150
/** The pause after the last failed try. */
const failurePauseMs = 1_500
/** The pause before the log is emptied for the callers that arrived meanwhile. */
const gatherMs = 200
/** More than the concurrent jobs, and longer than all tries. */
const limits = { maxItems: 1_000, maxWaiting: 1_000, deadlineMs: 10_000 }

/**
 * Creates a function that removes everything committed before its call from the log of the database. The log is emptied a few times a
 * second at most. Concurrent callers share the next time. If other readers block all tries, the function throws `Postpone` to all callers
 * of the next 1.5 s.
 */
export function createEmptyLog({ db }: Pick<WorkerDeps, 'db'>): () => Promise<void> {
  let pausedUntil = 0
  let endedAt = Number.NEGATIVE_INFINITY

  async function empty(): Promise<void> {
    const gatherForMs = endedAt + gatherMs - performance.now()
    if (gatherForMs > 0) await sleep(gatherForMs)
    const pausedForMs = pausedUntil - performance.now()
    if (pausedForMs > 0) throw new Postpone(Math.ceil(pausedForMs))
    for (let tries = 0; tries < maxTries; tries++) {
      if (await db.emptyLog()) return
      await sleep(pauseMs * (0.5 + Math.random()))
    }
    pausedUntil = performance.now() + failurePauseMs
    throw new Postpone(failurePauseMs)
  }

  const emptyForAll = createBatcher<undefined, undefined>(limits, async (callers) => {
    try {
      await empty()
      return callers
    } finally {
      endedAt = performance.now()
    }
  })
  return () => emptyForAll('', undefined)
}
