import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import type { InteractionHookRow } from '../../../../db/repos/issuance/interaction-hooks.ts'
import { unixSeconds } from '../../../../shared/clock.ts'
import { Problem, whyRefused } from '../../../../shared/errors.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import { isText, parseJson } from '../../../http/json.ts'
import { parsePart } from '../../../http/problems.ts'
import { issuersOf } from '../../interaction-hook/hook-url.ts'
import { openHookSecret } from '../../interaction-hook/secret.ts'

const longestState = 500

const SessionAnswer = z.object({
  state: z.string().max(longestState),
  iat: z.number(),
  exp: z.number(),
  claims: z.record(z.string(), z.unknown()).default({}),
  claimsToPersist: z.array(z.string().max(200)).max(100).default([]),
})

type SessionAnswer = z.infer<typeof SessionAnswer>

/** How far the component's clock may be ahead. */
const aheadSeconds = 60
/** As long as the longest session. */
const longestSeconds = 86_400

/**
 * The `state` of a token that nobody has verified yet. It says whose mistake is told in which timeline, and it is a secret of
 * ours that has to be right by itself. Throws `sign_in_step_failed`.
 */
export function stateOf(token: string): string {
  try {
    const { state } = decodeJwt(token)
    // The database takes texts alone: nobody has verified what this is.
    if (typeof state === 'string' && state.length <= longestState && isText(state)) return state
  } catch {
    throw wrong('it is not a JWT')
  }
  throw wrong('state is missing')
}

/** HS256 and nothing else, from the component, for us, and not expired. Throws for the operator's eyes what is wrong with it. */
export async function verifySessionToken(
  deps: Deps,
  tenant: Tenant,
  hook: InteractionHookRow,
  token: string,
): Promise<SessionAnswer> {
  const at = deps.clock.now()
  const issuers = issuersOf(hook.url)
  try {
    await jwtVerify(token, Buffer.from(openHookSecret(deps.secrets, hook), 'base64'), {
      algorithms: ['HS256'],
      issuer: issuers,
      audience: tenant.baseUrl,
      requiredClaims: ['exp', 'iat', 'state'],
      currentDate: at,
    })
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      throw new Problem('sign_in_expired', { reason: reasonOf('it is expired (exp)') })
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw wrong(faultOf(error, token, { iss: issuers.join(' or '), aud: tenant.baseUrl }))
    throw error
  }
  const answer = contentOf(token)
  if (answer.iat > unixSeconds(at) + aheadSeconds) throw wrong('iat lies ahead (are the clocks right?)')
  if (answer.exp - answer.iat > longestSeconds) throw wrong('exp is more than a day after iat')
  return answer
}

/** Its signature is right where one of its claims is told: it is the operator's component that says it. */
function faultOf(error: Error, token: string, wanted: { iss: string; aud: string }): string {
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'signature is wrong (is the secret base64-decoded?)'
  if (error instanceof errors.JOSEAlgNotAllowed) return `alg is ${shown(decodeProtectedHeader(token).alg)}, not HS256`
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'it is not a JWT that is signed by HS256'
  const { claim, reason, payload } = error
  if (reason === 'missing') return `${claim} is missing`
  if (claim === 'nbf') return 'nbf lies ahead (are the clocks right?)'
  if (claim !== 'iss' && claim !== 'aud') return `${claim} is not acceptable`
  return `${claim} is ${shown(payload[claim])}, not ${wanted[claim]}`
}

const longestShown = 200

function shown(value: unknown): string {
  return value === undefined
    ? 'missing'
    : (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, longestShown)
}

/** The payload once more, by the strict reader: no member twice, nothing that cannot be stored as it is. */
function contentOf(token: string): SessionAnswer {
  const [, payload = ''] = token.split('.')
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(payload, 'base64url'))
    // Boundary: it is what its schema gives.
    return parsePart(SessionAnswer, parseJson(text), 'query') as SessionAnswer
  } catch (error) {
    if (error instanceof Problem) throw wrong(whyRefused(error).replace(/^Validation Error; /, ''))
    if (error instanceof TypeError) throw wrong('its payload is not UTF-8')
    throw error
  }
}

function reasonOf(fault: string): string {
  return `the component's session_token: ${fault}`
}

/** The refusal of an answer of the component. */
export function wrong(fault: string): Problem {
  return new Problem('sign_in_step_failed', { reason: reasonOf(fault) })
}
