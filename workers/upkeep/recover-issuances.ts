import type { Cursor } from '../../db/page.ts'
import { cancelTenant } from '../../db/repos/tenancy/cancel-tenant.ts'
import { findUnprovisioned } from '../../db/repos/tenancy/tenants.ts'
import { abandonIssuancesAt, findDeferred, type Purge, refuseDeferredAt } from '../../db/retention/purge-aged.ts'
import { readWalk, restartWalk, saveWalk } from '../../db/retention/walks.ts'
import { plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../handlers.ts'
import { inBatches } from './in-batches.ts'

/** The longest CREDENTIAL_DEADLINE_MS that can be set, and half a minute. */
const issuanceWithinMs = 90_000
/** A deferred one is asked for again, in case that its job was lost; nobody comes for it after an hour. */
const deferredAgainMs = 60_000
const deferredWithinMs = 3_600_000
const deferredPage = 500
/** How many deferred issuances a run queues. */
const maxDeferred = 1_000
const tenantWithinMs = 10 * 60_000

/**
 * Ends what nobody waits for any more, because the API process that did has died: issuances are abandoned, so that their
 * claims are not kept, and tenants without keys are removed, so that their names are free again.
 */
export async function recoverIssuances(deps: WorkerDeps): Promise<void> {
  const { db, clock, log } = deps
  const at = clock.now()
  const end = async (purge: Purge, withinMs: number) =>
    (await inBatches(deps, (tx, most) => purge(tx, plusMs(at, -withinMs), most))).count
  const abandoned = await end(abandonIssuancesAt(at), issuanceWithinMs)
  if (abandoned > 0) log.info({ abandoned }, 'issuances that nobody waited for were abandoned')
  const refused = await end(refuseDeferredAt(at), deferredWithinMs)
  if (refused > 0) log.warn({ refused }, 'deferred issuances that nobody signed were refused')
  for (const tenantId of await findUnprovisioned(db.read, plusMs(at, -tenantWithinMs))) {
    if (await cancelTenant(deps, tenantId)) log.info({ tenantId }, 'a tenant that was never provisioned was removed')
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
  if (count > 0) log.info({ count }, 'deferred issuances were queued again')
}

function readCursor(text: string): Cursor {
  const [at = '', id = ''] = text.split(' ')
  return { at: new Date(Number(at)), id }
}
