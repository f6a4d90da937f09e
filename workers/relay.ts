import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { type OutboxRow, removeFromOutbox, takeFromOutbox } from '../db/outbox.ts'
import { derivedId } from '../shared/ids.ts'
import { pokeChannel } from '../shared/jobs/bus.ts'
import { definitionOf, isJobName, type JobName } from '../shared/jobs/registry.ts'
import { createThrottledLog } from '../shared/throttled-log.ts'
import type { WorkerDeps } from './handlers.ts'
import { outboxRelayed } from './metrics.ts'
import { createRecentShare } from './recent-share.ts'

const pollMs = 500
/** How long the rows of a busy time gather, so that few transactions and jobs carry many of them; the first goes at once. */
const gatherMs = 500
const most = 500

type Share = ReturnType<typeof createRecentShare>
/** After trouble with Redis or the database; doubled each time. */
const firstRestMs = 500
const longestRestMs = 5_000

/**
 * Moves outbox rows to their queues: takes them, adds the jobs, removes them. Poked after commits, and polls as well.
 * A relay that dies in between leaves rows that are taken again; the jobs they made twice are idempotent. While Redis is
 * away, or refuses to write, nothing is taken.
 */
export function startRelay(deps: WorkerDeps, subscriber: Redis, prefix: string): { stop(): Promise<void> } {
  let stopped = false
  let again = false
  let running: Promise<void> | undefined
  const shareOf = createRecentShare()
  let restMs = firstRestMs
  let restsUntil = 0
  const tell = createThrottledLog((fields: { err: unknown }) =>
    deps.log.warn(fields, 'the outbox could not be relayed'),
  )

  async function drain(): Promise<void> {
    do {
      again = false
      await deps.bus.requireWritable()
      const rows = await takeFromOutbox(deps.db, most, deps.clock.now())
      if (rows.length > 0) await relay(deps, rows, shareOf)
      if (rows.length === most) again = true
      else if (rows.length > 0) await sleep(gatherMs)
    } while (again && !stopped)
  }

  function wake(): void {
    again = true
    if (running || stopped || performance.now() < restsUntil) return
    running = drain()
      .then(
        () => {
          restMs = firstRestMs
        },
        (err) => {
          tell('relay', { err })
          restsUntil = performance.now() + restMs
          restMs = Math.min(2 * restMs, longestRestMs)
        },
      )
      .finally(() => {
        running = undefined
      })
  }

  subscriber.on('message', wake)
  subscriber.subscribe(pokeChannel(prefix)).catch((err) => deps.log.warn({ err }, 'pokes are not heard'))
  const timer = setInterval(wake, pollMs)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      subscriber.disconnect()
      await running
    },
  }
}

async function relay(deps: WorkerDeps, rows: OutboxRow[], shareOf: Share): Promise<void> {
  for (const [job, ofJob] of Map.groupBy(rows, (row) => row.job)) {
    if (!isJobName(job)) {
      // While versions are rolled out or back, both have relays: the rows wait for the one that knows them.
      deps.log.warn({ job, rows: ofJob.length }, 'the outbox has a job that this version does not know')
      continue
    }
    await deps.bus.sendMany(job, entriesOf(job, ofJob, shareOf))
    outboxRelayed.inc({ job }, ofJob.length)
    // Taken again if they are still there later; if their job is still on the queue then, nothing is added.
    if (definitionOf(job).keptUntilDone) continue
    const ids = ofJob.map(({ id }) => id)
    await deps.db.tx((tx) => removeFromOutbox(tx, ids))
  }
}

/**
 * A job per row, with the row's id; or, for jobs that take several items, as few jobs as hold them. The id of such a one
 * follows from all of its rows: an id that is on the queue already adds nothing, so it has to stand for the same rows.
 * Each is as urgent as its row says, or less: the more its tenant had of late.
 */
function entriesOf(
  job: JobName,
  rows: OutboxRow[],
  shareOf: Share,
): { payload: never; options: { id: string; priority: number } }[] {
  const { batch } = definitionOf(job)
  const groups = batch ? chunks(rows, batch) : rows.map((row) => [row])
  return groups.map((group) => ({
    // Boundary: `addToOutbox` typed the payload when it was written.
    payload: (batch ? { items: group.map(({ payload }) => payload) } : group[0]?.payload) as never,
    options: {
      id: batch ? derivedId(...group.map(({ id }) => id)) : (group[0]?.id ?? ''),
      priority: Math.min(...group.map(({ priority, payload }) => Math.max(priority, shareOf(tenantOf(payload))))),
    },
  }))
}

/** Every job of the outbox is some tenant's. */
function tenantOf(payload: unknown): string {
  return typeof payload === 'object' && payload && 'tenantId' in payload ? String(payload.tenantId) : ''
}

function chunks<Value>(values: Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size))
}
