import { SignJWT } from 'jose'
import type { InteractionHookRow } from '../../../db/repos/issuance/interaction-hooks.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import { plusMs, unixSeconds } from '../../../shared/clock.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { openHookSecret } from './secret.ts'

/** Returns the callback to which the operator's component redirects people. */
function interactionCallbackOf(tenant: Tenant): string {
  return `${tenant.baseUrl}/v1/oauth/interaction/callback`
}

/** Returns the URL of the operator's component for one person, with a session token that identifies the person. */
export async function sessionAddress(
  { secrets }: Pick<Deps, 'secrets'>,
  tenant: Tenant,
  hook: InteractionHookRow,
  { state, claims, at }: { state: string; claims: Claims; at: Date },
): Promise<string> {
  const token = await new SignJWT({
    iss: tenant.baseUrl,
    aud: hook.url,
    iat: unixSeconds(at),
    exp: unixSeconds(plusMs(at, hook.sessionTimeoutInSec * 1000)),
    state,
    redirectUrl: interactionCallbackOf(tenant),
    claims: claimsToSend(hook, claims),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(Buffer.from(openHookSecret(secrets, hook), 'base64'))
  const url = new URL(hook.url)
  url.searchParams.set('session_token', token)
  return url.href
}

function claimsToSend(hook: InteractionHookRow, claims: Claims): Claims {
  const shared = hook.claims.filter((name) => Object.hasOwn(claims, name) && claims[name] !== null)
  return Object.fromEntries(shared.map((name) => [name, claims[name]]))
}
