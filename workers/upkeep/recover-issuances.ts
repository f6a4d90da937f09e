import type { Cursor } from '../../db/page.ts'
import { cancelTenant } from '../../db/repos/tenancy/cancel-tenant.ts'
import { findUnprovisioned } from '../../db/repos/tenancy/tenants.ts'
import { abandonIssuancesAt, findDeferred, type Purge, refuseDeferredAt } from '../../db/retention/purge-aged.ts'
import { readWalk, restartWalk, saveWalk } from '../../db/retention/walks.ts'
import { plusMs } from '../../shared/clock.ts'
import { issuanceWithinMs } from '../../shared/domain/issuance/issuance-deadline.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { runBatchesUntil } from '../jobs/run-until.ts'

/** A deferred issuance is queued again after this time, because its job may be lost. It is refused after an hour. */
const deferredAgainMs = 60_000
const deferredWithinMs = 3_600_000
const deferredPage = 500
/** The deferred issuances that a run queues. */
const maxDeferred = 1_000
const tenantWithinMs = 10 * 60_000

/**
 * Ends requests whose API process has ended. Their issuances are abandoned, so that their claims are not stored. Tenants without keys are
 * removed, so that their names can be used again.
 */
export async function recoverIssuances(deps: WorkerDeps): Promise<void> {
  const { db, clock, log } = deps
  const at = clock.now()
  const end = async (purge: Purge, withinMs: number) =>
    (await runBatchesUntil(deps, (tx, max) => purge(tx, plusMs(at, -withinMs), max))).count
  const abandoned = await end(abandonIssuancesAt(at), issuanceWithinMs)
  if (abandoned > 0) log.info({ abandoned }, 'issuances abandoned')
  const refused = await end(refuseDeferredAt(at), deferredWithinMs)
  if (refused > 0) log.warn({ refused }, 'unsigned deferred issuances refused')
  for (const tenantId of await findUnprovisioned(db.read, plusMs(at, -tenantWithinMs))) {
    if (await cancelTenant(deps, tenantId)) log.info({ tenantId }, 'unprovisioned tenant removed')
  }
  await queueDeferred(deps, at)
}

/**
 * Queues deferred issuances again, because Redis may have lost their jobs. A run continues where the last run stopped. The id of a job is
 * derived from its issuance. An issuance whose job still waits does not get a second job. The priority of a job is the position of its
 * issuance among those of its tenant in this run. BullMQ runs jobs without priority first. Therefore these jobs do not delay the requests
 * of other tenants.
 */
async function queueDeferred({ db, bus, log }: WorkerDeps, at: Date): Promise<void> {
  const walk = await readWalk(db.read, 'deferred_issuances', at)
  const before = plusMs(at, -deferredAgainMs)
  const positions = new Map<string, number>()
  let cursor = walk.cursor ? readCursor(walk.cursor) : undefined
  let count = 0
  do {
    const page = await findDeferred(db.read, before, cursor, deferredPage)
    const entries = page.map(({ tenantId, id: issuanceId }) => {
      const priority = (positions.get(tenantId) ?? 0) + 1
      positions.set(tenantId, priority)
      return {
        payload: { items: [{ tenantId, issuanceId }] },
        options: { id: `deferred-${issuanceId}`, priority, forgetFailure: true },
      }
    })
    if (entries.length > 0) await bus.sendMany('signCredentials', entries)
    count += page.length
    cursor = page.length === deferredPage ? page.at(-1) : undefined
  } while (cursor && count < maxDeferred)
  const next = cursor ? { ...walk, cursor: `${cursor.at.getTime()} ${cursor.id}` } : restartWalk(walk)
  if (cursor || walk.cursor) await db.tx((tx) => saveWalk(tx, next))
  if (count > 0) log.info({ count }, 'deferred issuances queued again')
}

function readCursor(text: string): Cursor {
  const [at = '', id = ''] = text.split(' ')
  return { at: new Date(Number(at)), id }
}
