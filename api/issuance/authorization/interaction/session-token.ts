import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import type { InteractionHookRow } from '../../../../db/repos/issuance/interaction-hooks.ts'
import { unixSeconds } from '../../../../shared/clock.ts'
import type { CheckName } from '../../../../shared/domain/issuance/checks.ts'
import { describeRefusal } from '../../../../shared/errors/describe-refusal.ts'
import { Problem } from '../../../../shared/errors/errors.ts'
import { isText } from '../../../../shared/formats/lossless-json.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import { parseJson } from '../../../http/json.ts'
import { parsePart } from '../../../http/problems.ts'
import { issuersOf } from '../../interaction-hook/hook-url.ts'
import { openHookSecret } from '../../interaction-hook/secret.ts'

const maxStateLength = 500

const SessionAnswer = z.object({
  state: z.string().max(maxStateLength),
  iat: z.number(),
  exp: z.number(),
  claims: z.record(z.string(), z.unknown()).default({}),
  claimsToPersist: z.array(z.string().max(200)).max(100).default([]),
})

type SessionAnswer = z.infer<typeof SessionAnswer>

/** The allowed clock skew of the component. */
const aheadSeconds = 60
/** The maximum duration of a session. */
const maxSeconds = 86_400

/**
 * Returns the `state` of a token that is not verified yet. The state selects the timeline in which a token error is
 * reported. It is a secret that this service generated and is checked separately. Throws `sign_in_step_failed`.
 */
export function stateOf(token: string): string {
  try {
    const { state } = decodeJwt(token)
    // The database accepts only valid text, and this value is not verified yet.
    if (typeof state === 'string' && state.length <= maxStateLength && isText(state)) return state
  } catch {
    throw sessionTokenProblem('session_token_form', 'it is not a JWT')
  }
  throw sessionTokenProblem('session_token_form', 'state is missing')
}

/**
 * Verifies a session token: HS256 only, issued by the component, addressed to this tenant, not expired. Throws a
 * problem whose reason describes the fault to the operator.
 */
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
      throw new Problem('sign_in_expired', { reason: reasonOf('it is expired (exp)'), check: 'session_token_times' })
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw sessionTokenProblem(...faultOf(error, token, { iss: issuers.join(' or '), aud: tenant.baseUrl }))
    throw error
  }
  const answer = contentOf(token)
  if (answer.iat > unixSeconds(at) + aheadSeconds)
    throw sessionTokenProblem('session_token_times', 'iat is in the future (check the clocks)')
  if (answer.exp - answer.iat > maxSeconds)
    throw sessionTokenProblem('session_token_times', 'exp is more than a day after iat')
  return answer
}

/**
 * Returns the failed check and describes the fault. Claim values are included because the signature is valid at that point: they come from the
 * operator's component.
 */
function faultOf(error: Error, token: string, expected: { iss: string; aud: string }): [CheckName, string] {
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return ['session_token_signature', 'signature is wrong (decode the secret from base64 before use)']
  if (error instanceof errors.JOSEAlgNotAllowed)
    return ['session_token_signature', `alg is ${printValue(decodeProtectedHeader(token).alg)}, not HS256`]
  if (!(error instanceof errors.JWTClaimValidationFailed))
    return ['session_token_signature', 'it is not a JWT that is signed by HS256']
  const { claim, reason, payload } = error
  const isParty = claim === 'iss' || claim === 'aud'
  const check = isParty ? 'session_token_parties' : 'session_token_content'
  if (reason === 'missing') return [check, `${claim} is missing`]
  if (claim === 'nbf') return ['session_token_times', 'nbf is in the future (check the clocks)']
  return [
    check,
    isParty ? `${claim} is ${printValue(payload[claim])}, expected ${expected[claim]}` : `${claim} is not acceptable`,
  ]
}

const maxShownLength = 200

function printValue(value: unknown): string {
  return value === undefined
    ? 'missing'
    : (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxShownLength)
}

/**
 * Parses the payload again with the strict JSON parser. It rejects duplicate members and values that cannot be stored
 * unchanged.
 */
function contentOf(token: string): SessionAnswer {
  const [, payload = ''] = token.split('.')
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(payload, 'base64url'))
    // Boundary: the schema defines this type.
    return parsePart(SessionAnswer, parseJson(text), 'query') as SessionAnswer
  } catch (error) {
    if (error instanceof Problem)
      throw sessionTokenProblem('session_token_content', describeRefusal(error).replace(/^Validation Error; /, ''))
    if (error instanceof TypeError) throw sessionTokenProblem('session_token_content', 'its payload is not UTF-8')
    throw error
  }
}

function reasonOf(fault: string): string {
  return `the component's session_token: ${fault}`
}

/** Returns the refusal of a response from the component. */
export function sessionTokenProblem(check: CheckName, fault: string): Problem {
  return new Problem('sign_in_step_failed', { reason: reasonOf(fault), check })
}
