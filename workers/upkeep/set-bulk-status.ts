import { setTimeout as sleep } from 'node:timers/promises'
import type { Writer } from '../../db/client.ts'
import { hold } from '../../db/hold.ts'
import { removeFromOutbox } from '../../db/outbox.ts'
import { type BulkPlace, findBulkPage } from '../../db/repos/status/bulk-pages.ts'
import { type BulkRow, updateBulk } from '../../db/repos/status/bulks.ts'
import { setStatuses } from '../../db/repos/status/entries.ts'
import { statusBulks } from '../../db/tables/status/bulks.ts'
import { plusMs } from '../../shared/clock.ts'
import { bulkSettlesMs, maxBulkIds } from '../../shared/domain/status/status-bulks.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import { countStatusChanges } from '../../shared/metrics/status-changes.ts'
import type { WorkerDeps } from '../handlers.ts'
import { Postpone } from '../serve.ts'

const portionSize = 500
/** Between two portions others write, for as long as one took. */
const shortestPauseMs = 5

/** What takes longer goes to the end of the line, so that other tenants' requests and other jobs have their turn. */
const turnMs = 1_000

/** Does a bulk request portion by portion. Any number of times, from anywhere. */
export async function setBulkStatus(deps: WorkerDeps, payload: Payload<'setBulkStatus'>): Promise<void> {
  const until = performance.now() + turnMs
  for (;;) {
    const startedAt = performance.now()
    const pauseMs = await setNextPortion(deps, payload)
    if (pauseMs === undefined) return
    const waitMs = Math.max(pauseMs, performance.now() - startedAt)
    if (performance.now() + waitMs > until) throw new Postpone(waitMs)
    await sleep(waitMs)
  }
}

/**
 * Sets the status of the next credentials of a bulk request, and writes down how far it is, in one transaction: whoever is
 * killed leaves a whole number of portions, and nothing counts twice. Returns when to go on, in milliseconds; undefined when
 * nothing is left.
 */
export async function setNextPortion(
  { db, clock }: Pick<WorkerDeps, 'db' | 'clock'>,
  { tenantId, bulkId }: Payload<'setBulkStatus'>,
): Promise<number | undefined> {
  let changed: Changed | undefined
  const pauseMs = await db.tx(async (tx) => {
    changed = undefined
    const bulk = await hold(tx, statusBulks, tenantId, bulkId)
    const unsettledMs = bulk?.filter ? plusMs(bulk.createdAt, bulkSettlesMs).getTime() - clock.now().getTime() : 0
    if (unsettledMs > 0) return unsettledMs
    if (bulk && bulk.state !== 'done') changed = await doPortion(tx, bulk, clock.now())
    if (changed?.hasMore) return shortestPauseMs
    await removeFromOutbox(tx, [bulkId])
    return undefined
  })
  if (changed) countStatusChanges(changed.status, changed.count)
  return pauseMs
}

interface Changed {
  status: 'valid' | 'invalid'
  /** Of those whose status was set. */
  count: number
  hasMore: boolean
}

async function doPortion(tx: Writer, bulk: BulkRow, at: Date): Promise<Changed> {
  const { ids, progress } = await nextPortion(tx, bulk)
  const status = bulk.isRevoked ? 'invalid' : 'valid'
  const set = await setStatuses(tx, bulk.tenantId, ids, { status, at })
  const failed = [
    ...set.unknown.map((id) => ({ id, reason: 'Resource Not Found' })),
    ...set.notRevocable.map((id) => ({ id, reason: 'This credential is not revocable' })),
    ...set.final.map((id) => ({ id, reason: 'This credential is invalid for good' })),
  ]
  const done = bulk.done + ids.length
  await updateBulk(tx, bulk, {
    done,
    // What a filter was about is known when it was walked.
    total: progress === undefined ? done : Math.max(bulk.total, done),
    state: progress === undefined ? 'done' : 'running',
    progress: progress ?? null,
    ...(progress === undefined && { endedAt: at }),
    ...(failed.length > 0 && { failed: [...bulk.failed, ...failed].slice(0, maxBulkIds) }),
  })
  return { status, count: ids.length - failed.length, hasMore: progress !== undefined }
}

/** The ids, and where the portion behind them begins; undefined when there is none. */
async function nextPortion(tx: Writer, bulk: BulkRow): Promise<{ ids: string[]; progress: string | undefined }> {
  if (bulk.credentialIds) {
    const from = Number(bulk.progress ?? 0)
    const to = from + portionSize
    const isLast = to >= bulk.credentialIds.length
    return { ids: bulk.credentialIds.slice(from, to), progress: isLast ? undefined : String(to) }
  }
  const filter = bulk.filter ?? {}
  const until = plusMs(bulk.createdAt, bulkSettlesMs)
  const from = bulk.progress === null ? undefined : placeOf(bulk.progress)
  const { rows: ids, next } = await findBulkPage(tx, bulk.tenantId, { filter, until, from, most: portionSize })
  return { ids, progress: next && JSON.stringify(next) }
}

function placeOf(progress: string): BulkPlace {
  // Boundary: it was written here.
  const { after, ...place } = JSON.parse(progress) as Omit<BulkPlace, 'after'> & { after?: { at: string; id: string } }
  return { ...place, ...(after && { after: { at: new Date(after.at), id: after.id } }) }
}
