import type { InteractionHookRow } from '../../../../db/repos/issuance/interaction-hooks.ts'
import {
  type AuthorizationRow,
  advanceAuthorization,
  extendPushedRequest,
} from '../../../../db/repos/issuance/sessions/authorizations.ts'
import { findUser } from '../../../../db/repos/issuance/users/users.ts'
import { plusMs } from '../../../../shared/clock.ts'
import { Problem } from '../../../../shared/errors/errors.ts'
import { hashSecret, newSecretOf } from '../../../../shared/ids.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import { sessionAddress } from '../../interaction-hook/session-address.ts'

/**
 * Returns the URL of the operator's component, with a session token that identifies the person (decisions: interaction
 * hook).
 */
export async function beginInteraction(
  deps: Deps,
  tenant: Tenant,
  authorization: AuthorizationRow,
  hook: InteractionHookRow,
  userId: string,
): Promise<string> {
  const at = deps.clock.now()
  const user = await findUser(deps.db.read, tenant.id, userId)
  const state = newSecretOf(authorization.id)
  const expiresAt = plusMs(at, hook.sessionTimeoutInSec * 1000)
  const waiting = { state: 'interaction' as const, stepHash: hashSecret(state), userId, expiresAt }
  const moved = await deps.db.tx(async (tx) => {
    const moved = await advanceAuthorization(tx, authorization, waiting, at)
    const { pushedRequestId } = authorization
    if (pushedRequestId !== null) await extendPushedRequest(tx, tenant.id, pushedRequestId, expiresAt)
    return moved
  })
  if (!moved || !user) throw new Problem('sign_in_expired')
  return sessionAddress(deps, tenant, hook, { state, claims: user.claims, at })
}
