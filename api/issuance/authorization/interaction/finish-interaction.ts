import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { findInteractionHook, type InteractionHookRow } from '../../../../db/repos/issuance/interaction-hooks.ts'
import { unixSeconds } from '../../../../shared/clock.ts'
import { Problem } from '../../../../shared/errors.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import { parseJson } from '../../../http/json.ts'
import type { Answer } from '../../../http/representations/answer.ts'
import type { Headers } from '../../../http/route.ts'
import { openHookSecret } from '../../interaction-hook/secret.ts'
import { grantCode } from '../grant-code.ts'
import { resumeAuthorization } from '../resume.ts'

const SessionAnswer = z.object({
  state: z.string().max(500),
  iat: z.number(),
  exp: z.number(),
  claims: z.record(z.string(), z.unknown()).default({}),
  claimsToPersist: z.array(z.string().max(200)).max(100).default([]),
})

/** How far the component's clock may be ahead. */
const aheadSeconds = 60
/** As long as the longest session. */
const longestSeconds = 86_400

/** A person comes back from the operator's component: where to next, which is back to the wallet with a code. */
export async function finishInteraction(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  token: string,
  about: (offerId: string | null) => void,
): Promise<Answer> {
  const hook = await findInteractionHook(deps.db.read, tenant.id)
  if (!hook) throw new Problem('sign_in_failed')
  const { state, claims, claimsToPersist } = await verifySessionToken(deps, tenant, hook, token)
  const authorization = await resumeAuthorization(deps, tenant, headers, 'interaction', state)
  about(authorization.offerId)
  const { userId } = authorization
  if (userId === null) throw new Error('an interaction is about nobody')
  const kept = Object.fromEntries(
    claimsToPersist.filter((name) => Object.hasOwn(claims, name)).map((name) => [name, claims[name]]),
  )
  return grantCode(deps, tenant, authorization, { userId, hookClaims: claims }, kept)
}

/** HS256 and nothing else, from the component, for us, and not expired. */
async function verifySessionToken(
  deps: Deps,
  tenant: Tenant,
  hook: InteractionHookRow,
  token: string,
): Promise<z.infer<typeof SessionAnswer>> {
  const at = deps.clock.now()
  try {
    await jwtVerify(token, Buffer.from(openHookSecret(deps.secrets, hook), 'base64'), {
      algorithms: ['HS256'],
      issuer: [hook.url, new URL(hook.url).origin],
      audience: tenant.baseUrl,
      requiredClaims: ['exp', 'iat', 'state'],
      currentDate: at,
    })
    const answer = SessionAnswer.parse(payloadOf(token))
    const isTimely = answer.iat <= unixSeconds(at) + aheadSeconds && answer.exp - answer.iat <= longestSeconds
    if (!isTimely) throw new Problem('sign_in_failed')
    return answer
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new Problem('sign_in_expired')
    const isWrong = error instanceof errors.JOSEError || error instanceof TypeError || error instanceof z.ZodError
    if (isWrong || error instanceof Problem) throw new Problem('sign_in_failed')
    throw error
  }
}

/** The payload once more, by the strict reader: no member twice, nothing that cannot be stored as it is. */
function payloadOf(token: string): unknown {
  const [, payload = ''] = token.split('.')
  return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(payload, 'base64url')))
}
