import { callOffTenant } from '../../db/call-off-tenant.ts'
import { abandonIssuancesAt, findDeferred, type Purge, refuseDeferredAt } from '../../db/keeping/retention.ts'
import { addToOutbox } from '../../db/outbox.ts'
import { findUnprovisioned } from '../../db/repos/tenancy/tenants.ts'
import { plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../handlers.ts'
import { inBatches } from './in-batches.ts'

/** The longest CREDENTIAL_DEADLINE_MS that can be set, and half a minute. */
const issuanceWithinMs = 90_000
/** A deferred one is asked for again, in case that its job was lost; nobody comes for it after an hour. */
const deferredAgainMs = 60_000
const deferredWithinMs = 3_600_000
const mostDeferred = 500
const tenantWithinMs = 10 * 60_000

/**
 * Ends what nobody waits for any more, because the API process that did has died: issuances are abandoned, so that their
 * claims are not kept, and tenants without keys are removed, so that their names are free again.
 */
export async function recoverIssuances(deps: WorkerDeps): Promise<void> {
  const { db, bus, clock, log } = deps
  const at = clock.now()
  const end = async (purge: Purge, withinMs: number) =>
    (await inBatches(deps, (tx, most) => purge(tx, plusMs(at, -withinMs), most))).count
  const abandoned = await end(abandonIssuancesAt(at), issuanceWithinMs)
  if (abandoned > 0) log.info({ abandoned }, 'issuances that nobody waited for were abandoned')
  const refused = await end(refuseDeferredAt(at), deferredWithinMs)
  if (refused > 0) log.warn({ refused }, 'deferred issuances that nobody signed were refused')
  const waiting = await findDeferred(db.read, plusMs(at, -deferredAgainMs), mostDeferred)
  if (waiting.length > 0) {
    const entries = waiting.map((payload) => ({ payload }))
    await db.tx((tx) => addToOutbox(tx, 'signCredentials', entries, at))
    bus.poke()
    log.info({ waiting: waiting.length }, 'deferred issuances were queued again')
  }
  for (const tenantId of await findUnprovisioned(db.read, plusMs(at, -tenantWithinMs))) {
    if (await callOffTenant(deps, tenantId)) log.info({ tenantId }, 'a tenant that was never provisioned was removed')
  }
}
