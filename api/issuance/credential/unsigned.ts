import { addToOutbox } from '../../../db/outbox.ts'
import { insertAbandoned, insertRequested, type UnwrittenIssuance } from '../../../db/repos/issuance/issuances.ts'
import { extendAuthorization } from '../../../db/repos/issuance/sessions/authorizations.ts'
import { extendSession } from '../../../db/repos/issuance/sessions/sessions.ts'
import { spendTogether } from '../../../db/repos/issuance/sessions/spent-proofs.ts'
import { plusMs } from '../../../shared/clock.ts'
import type { Deps } from '../../deps.ts'

// The rows that these functions write have the same id as the row that the signing process would write, so only one of both is written.

/**
 * The time in which a wallet can collect a deferred credential. A bearer token should not live longer than necessary.
 */
const deferredForMs = 3_600_000

/** Stores the request for a later signature. Returns false if it or an equal request has a row, or its session ended. */
export async function defer(deps: Deps, { issuance, uses }: UnwrittenIssuance): Promise<boolean> {
  const at = deps.clock.now()
  const { tenantId, id: issuanceId, sessionId, authorizationId } = issuance
  const isDeferred = await deps.db.tx(async (tx) => {
    if (!(await spendTogether(tx, tenantId, uses))) return false
    if (!(await insertRequested(tx, issuance, at))) return false
    const until = plusMs(at, deferredForMs)
    await extendSession(tx, tenantId, sessionId, until)
    if (authorizationId !== null) await extendAuthorization(tx, tenantId, authorizationId, until)
    await addToOutbox(tx, 'signCredentials', [{ payload: { tenantId, issuanceId } }], at)
    return true
  })
  deps.bus.poke()
  return isDeferred
}

/**
 * Cancels the request, so that its offer can be used again. Returns false if it was signed or refused, or its session ended. The deadline of
 * the request does not limit it: a request that is neither cancelled nor deferred may still be signed and use up the offer.
 */
export function abandon(deps: Deps, { issuance, uses }: UnwrittenIssuance): Promise<boolean> {
  const at = deps.clock.now()
  return deps.db.withoutDeadline.tx(async (tx) => {
    await spendTogether(tx, issuance.tenantId, uses)
    return insertAbandoned(tx, issuance, at)
  })
}
