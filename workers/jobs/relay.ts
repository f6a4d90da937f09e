import { setTimeout as sleep } from 'node:timers/promises'
import { type OutboxRow, removeFromOutbox, returnToOutbox, takeFromOutbox } from '../../db/outbox.ts'
import { chunksOf } from '../../db/repos/chunks.ts'
import { isOutage } from '../../shared/errors/errors.ts'
import { derivedId } from '../../shared/ids.ts'
import type { Broker } from '../../shared/jobs/broker.ts'
import { definitionOf, isJobName, type JobName } from '../../shared/jobs/registry.ts'
import { createThrottledLog } from '../../shared/log/throttled-log.ts'
import { tracing } from '../../shared/tracing/tracing.ts'
import type { WorkerDeps } from './handlers.ts'
import { outboxRelayed } from './metrics.ts'
import { createRecentLoad } from './recent-load.ts'
import { payloadItems } from './run-handler.ts'

/** How soon rows are moved whose poke was lost, because the process that wrote them ended. */
const pollMs = 1_000
/** The pause after a batch that was not full, so that few transactions and jobs move many rows. The first row does not wait. */
const defaultGatherMs = 500
const batchSize = 500

type LoadOf = ReturnType<typeof createRecentLoad>
/** The pauses after an error of Redis or the database. Each is twice the last one. */
const firstPauseMs = 500
const maxPauseMs = 5_000

/**
 * Moves outbox rows to their queues: takes rows, adds their jobs and removes the rows. Runs after each poke, and polls.
 * If a relay is killed, its rows are taken again, and idempotent jobs run twice. While Redis is unavailable or refuses writes, no row is
 * taken.
 */
export function startRelay(
  deps: WorkerDeps,
  broker: Pick<Broker, 'subscribeToPokes'>,
  gatherMs = defaultGatherMs,
): { stop(): Promise<void> } {
  let stopped = false
  let again = false
  let running: Promise<void> | undefined
  const loadOf = createRecentLoad()
  let pauseMs = firstPauseMs
  let pausedUntil = 0
  const logFailure = createThrottledLog((fields: { err: unknown }) => deps.log.warn(fields, 'outbox relay failed'))

  async function drain(): Promise<void> {
    do {
      again = false
      const moved = await moveOutboxRows(deps, loadOf)
      if (moved === batchSize) again = true
      else if (moved > 0) await sleep(gatherMs)
    } while (again && !stopped)
  }

  function wake(): void {
    again = true
    if (running || stopped || performance.now() < pausedUntil) return
    running = drain()
      .then(
        () => {
          pauseMs = firstPauseMs
        },
        (err) => {
          logFailure('relay', { err })
          pausedUntil = performance.now() + pauseMs
          pauseMs = Math.min(2 * pauseMs, maxPauseMs)
        },
      )
      .finally(() => {
        running = undefined
      })
  }

  const pokes = broker.subscribeToPokes(wake)
  pokes.subscribed.catch((err) => deps.log.warn({ err }, 'relay subscription failed, the relay polls only'))
  const timer = setInterval(wake, pollMs)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      pokes.close()
      await running
    },
  }
}

/** Moves one batch of outbox rows to their queues. Returns the number of rows. */
export async function moveOutboxRows(deps: WorkerDeps, loadOf: LoadOf): Promise<number> {
  await deps.bus.requireWritable()
  const rows = await takeFromOutbox(deps.db, batchSize, deps.clock.now())
  if (rows.length > 0) await relayOrReturn(deps, rows, loadOf)
  return rows.length
}

/** Returns the rows to the outbox if Redis becomes unavailable. After another error they wait, so that they do not delay other rows. */
async function relayOrReturn(deps: WorkerDeps, rows: OutboxRow[], loadOf: LoadOf): Promise<void> {
  try {
    await relay(deps, rows, loadOf)
  } catch (error) {
    const ids = rows.map(({ id }) => id)
    if (isOutage(error)) await deps.db.tx((tx) => returnToOutbox(tx, ids, deps.clock.now()))
    throw error
  }
}

async function relay(deps: WorkerDeps, rows: OutboxRow[], loadOf: LoadOf): Promise<void> {
  for (const [job, ofJob] of Map.groupBy(rows, (row) => row.job)) {
    if (!isJobName(job)) {
      // During a rollout both versions have relays. The rows wait for the relay of the version that has the job.
      deps.log.warn({ job, rows: ofJob.length }, 'outbox rows of an unknown job wait for another version')
      continue
    }
    const send = () => deps.bus.sendMany(job, entriesOf(job, ofJob, loadOf))
    const payloads = ofJob.map(({ payload }) => payload)
    await (tracing
      ? tracing.consume('outbox relay', { 'trustwright.job': job }, payloads.flatMap(payloadItems), send)
      : send())
    outboxRelayed.inc({ job }, ofJob.length)
    // The rows are taken again if they stay for long. If their job still waits then, its id prevents a second job.
    if (definitionOf(job).keptUntilDone) continue
    const ids = ofJob.map(({ id }) => id)
    await deps.db.tx((tx) => removeFromOutbox(tx, ids))
  }
}

/**
 * Returns one entry for each row, with the id of the row. Rows of a job with a `batch` size share an entry. Its id is derived from the ids
 * of all its rows, because an id that is already queued adds no job. The priority is that of the row or the recent load of its tenant, if
 * this is less urgent.
 */
function entriesOf(
  job: JobName,
  rows: OutboxRow[],
  loadOf: LoadOf,
): { payload: never; options: { id: string; priority: number } }[] {
  const { batch } = definitionOf(job)
  const groups = chunksOf(rows, batch ?? 1)
  return groups.map((group) => ({
    // Boundary: `addToOutbox` typed the payload when it was written.
    payload: (batch ? { items: group.map(({ payload }) => payload) } : group[0]?.payload) as never,
    options: {
      id: batch ? derivedId(...group.map(({ id }) => id)) : (group[0]?.id ?? ''),
      priority: Math.min(...group.map(({ priority, payload }) => Math.max(priority, loadOf(tenantOf(payload))))),
    },
  }))
}

/** The payload of each outbox job names its tenant. */
function tenantOf(payload: unknown): string {
  return typeof payload === 'object' && payload && 'tenantId' in payload ? String(payload.tenantId) : ''
}
