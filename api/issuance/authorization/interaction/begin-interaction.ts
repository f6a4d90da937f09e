import { SignJWT } from 'jose'
import {
  type AuthorizationRow,
  keepPushedRequestUntil,
  moveAuthorization,
} from '../../../../db/repos/issuance/authorizations.ts'
import type { InteractionHookRow } from '../../../../db/repos/issuance/interaction-hooks.ts'
import { findUser } from '../../../../db/repos/issuance/users.ts'
import type { Claims } from '../../../../db/tables/issuance/users.ts'
import { plusMs, unixSeconds } from '../../../../shared/clock.ts'
import { Problem } from '../../../../shared/errors.ts'
import { hashSecret, newSecretOf } from '../../../../shared/ids.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import { openHookSecret } from '../../interaction-hook/secret.ts'

/** Where the operator's component sends people back to. */
export function interactionCallbackOf(tenant: Tenant): string {
  return `${tenant.baseUrl}/v1/oauth/interaction/callback`
}

/** The operator's component, with a session token that tells it who comes (decisions: interaction hook). */
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
    const moved = await moveAuthorization(tx, authorization, waiting, at)
    const { pushedRequestId } = authorization
    if (pushedRequestId !== null) await keepPushedRequestUntil(tx, tenant.id, pushedRequestId, expiresAt)
    return moved
  })
  if (!moved || !user) throw new Problem('sign_in_expired')
  const token = await new SignJWT({
    iss: tenant.baseUrl,
    aud: hook.url,
    iat: unixSeconds(at),
    exp: unixSeconds(expiresAt),
    state,
    redirectUrl: interactionCallbackOf(tenant),
    claims: claimsToTell(hook, user.claims),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(Buffer.from(openHookSecret(deps.secrets, hook), 'base64'))
  const url = new URL(hook.url)
  url.searchParams.set('session_token', token)
  return url.href
}

function claimsToTell(hook: InteractionHookRow, claims: Claims): Claims {
  const told = hook.claims.filter((name) => Object.hasOwn(claims, name) && claims[name] !== null)
  return Object.fromEntries(told.map((name) => [name, claims[name]]))
}
