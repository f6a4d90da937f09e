import { setTimeout as sleep } from 'node:timers/promises'
import type { Writer } from '../../db/client.ts'
import { hold } from '../../db/hold.ts'
import { removeFromOutbox } from '../../db/outbox.ts'
import { chunksOf } from '../../db/repos/chunks.ts'
import { type AuditEntry, appendToAudit } from '../../db/repos/operations/audit/audit.ts'
import { auditEntry } from '../../db/repos/operations/audit/audited.ts'
import { type BulkCursor, findBulkPage } from '../../db/repos/status/bulk-pages.ts'
import { type StatusBulkRow, updateBulk } from '../../db/repos/status/bulks.ts'
import { setStatuses } from '../../db/repos/status/entries.ts'
import { statusBulks } from '../../db/tables/status/bulks.ts'
import { plusMs } from '../../shared/clock.ts'
import { bulkSettlesMs, bulkStatusEvent, maxBulkIds } from '../../shared/domain/status/status-bulks.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import { countStatusChanges } from '../../shared/metrics/status-changes.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { isReadOnly, readOnlyPauseMs } from '../jobs/read-only.ts'
import { minPauseMs, runUntil } from '../jobs/run-until.ts'
import { Postpone } from '../serve.ts'

const portionSize = 500
/** After this time the job is queued again, so that requests of other tenants and other jobs can run. */
const maxRunMs = 1_000

/** Processes a bulk request in portions. The job can run any number of times. */
export async function setBulkStatus(
  deps: WorkerDeps,
  payload: Payload<'setBulkStatus'>,
  runMs = maxRunMs,
): Promise<void> {
  const pauseMs = await runUntil(() => setNextPortion(deps, payload), performance.now() + runMs)
  if (pauseMs === undefined) return
  if (pauseMs > maxRunMs) throw new Postpone(pauseMs)
  // A job that is due at once is taken at once. BullMQ can take a second longer for one that is delayed.
  await sleep(pauseMs)
  throw new Postpone(0)
}

/**
 * Sets the status of the next credentials of a bulk request and stores the progress, in one transaction. Therefore a killed worker leaves
 * whole portions, and no credential counts twice. Waits while the tenant is read-only. Returns the pause before the next portion, or undefined
 * if nothing is left.
 */
export async function setNextPortion(
  { db, clock }: Pick<WorkerDeps, 'db' | 'clock'>,
  { tenantId, bulkId }: Payload<'setBulkStatus'>,
): Promise<number | undefined> {
  let changed: Changed | undefined
  const pauseMs = await db.tx(async (tx) => {
    changed = undefined
    if (await isReadOnly(tx, tenantId)) return readOnlyPauseMs
    const bulk = await hold(tx, statusBulks, tenantId, bulkId)
    const unsettledMs = bulk?.filter ? plusMs(bulk.createdAt, bulkSettlesMs).getTime() - clock.now().getTime() : 0
    if (unsettledMs > 0) return unsettledMs
    if (bulk && bulk.state !== 'done') changed = await setPortion(tx, bulk, clock.now())
    if (!changed?.hasMore) await removeFromOutbox(tx, [bulkId])
    if (bulk && changed) await appendToAudit(tx, auditEntries(bulk, changed.ids), clock.now())
    return changed?.hasMore ? minPauseMs : undefined
  })
  if (changed) countStatusChanges(changed.status, changed.count)
  return pauseMs
}

interface Changed {
  status: 'valid' | 'invalid'
  /** The number of credentials whose status was set. */
  count: number
  /** The credentials whose status changed. */
  ids: string[]
  hasMore: boolean
}

async function setPortion(tx: Writer, bulk: StatusBulkRow, at: Date): Promise<Changed> {
  const { ids, progress } = await nextPortion(tx, bulk)
  const status = bulk.isRevoked ? 'invalid' : 'valid'
  const set = await setStatuses(tx, bulk.tenantId, ids, { status, at })
  const failed = [
    ...set.unknown.map((id) => ({ id, reason: unknownCredential })),
    ...set.notRevocable.map((id) => ({ id, reason: 'This credential is not revocable' })),
    ...set.final.map((id) => ({ id, reason: 'This credential is invalid. This status is final.' })),
  ]
  const done = bulk.done + ids.length
  await updateBulk(tx, bulk, {
    done,
    // The total of a filter is known after its last page.
    total: progress === undefined ? done : Math.max(bulk.total, done),
    state: progress === undefined ? 'done' : 'running',
    progress: progress ?? null,
    ...(progress === undefined && { endedAt: at }),
    ...(failed.length > 0 && { failed: [...bulk.failed, ...failed].slice(0, maxBulkIds) }),
  })
  return { status, count: ids.length - failed.length, ids: set.changed, hasMore: progress !== undefined }
}

const unknownCredential =
  'No credential of this tenant has this id. GET /v2/credentials/issued lists the ids of issued credentials.'

/** Audit rows are never purged and are listed in pages of up to 1,000, so the ids of one row are limited. */
const maxIdsOfEntry = 100

/**
 * Returns the audit entries about changed credentials. A request of an earlier version is not known, and the entries have the id of the bulk
 * change.
 */
function auditEntries({ id, tenantId, isRevoked, changedBy }: StatusBulkRow, ids: string[]): AuditEntry[] {
  const { name: changedByName, ...by } = changedBy ?? { requestId: id }
  return chunksOf(ids, maxIdsOfEntry).map((credentialIds) => ({
    ...auditEntry({ ...by, event: bulkStatusEvent }, tenantId, { id, isRevoked, credentialIds }),
    objects: { ids: credentialIds, changedByName },
  }))
}

/** Returns the ids of a portion and the start of the next portion, if there is one. */
async function nextPortion(tx: Writer, bulk: StatusBulkRow): Promise<{ ids: string[]; progress: string | undefined }> {
  if (bulk.credentialIds) {
    const from = Number(bulk.progress ?? 0)
    const to = from + portionSize
    const isLast = to >= bulk.credentialIds.length
    return { ids: bulk.credentialIds.slice(from, to), progress: isLast ? undefined : String(to) }
  }
  const filter = bulk.filter ?? {}
  const until = plusMs(bulk.createdAt, bulkSettlesMs)
  const from = bulk.progress === null ? undefined : readPlace(bulk.progress)
  const { rows: ids, next } = await findBulkPage(tx, bulk.tenantId, { filter, until, from, limit: portionSize })
  return { ids, progress: next && JSON.stringify(next) }
}

function readPlace(progress: string): BulkCursor {
  // Boundary: `nextPortion` wrote it.
  const { after, ...place } = JSON.parse(progress) as Omit<BulkCursor, 'after'> & { after?: { at: string; id: string } }
  return { ...place, ...(after && { after: { at: new Date(after.at), id: after.id } }) }
}
