import { createHash } from 'node:crypto'
import type { claimIdempotencyKey, IdempotencyKeyRow } from '../../../db/repos/operations/idempotency-keys.ts'
import { hourMs, plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { hashSecret, newOrderedId } from '../../../shared/ids.ts'
import { idempotentAnswerContext } from '../../../shared/secrets/stored-contexts.ts'
import { callerIdOf } from '../../access/identities.ts'
import type { OperatorCall, StoredAnswer } from '../../http/idempotency.ts'

const keptMs = 24 * hourMs
/** A request commits nothing after its deadline. The addition covers clocks that differ between machines. */
const clockToleranceMs = 5_000
const maxAnswerBytes = 256 * 1024
const macUse = 'fingerprint of a request'

/** Returns what the fingerprint of a request is made of. `content` is its body. */
export function fingerprintSource({ method, url, query }: OperatorCall, content: Buffer | string): string {
  return [method, url, JSON.stringify(query ?? {}), createHash('sha256').update(content).digest('base64url')].join('\n')
}

/** Returns the columns that identify the key of a request. */
export function idempotencyKeyColumns(key: string, { tenantId, caller }: OperatorCall) {
  return { tenantId, callerId: callerIdOf(caller), keyHash: hashSecret(key) }
}

/** Returns the row of a key that a request claims. `source` is that of its fingerprint. */
export function newKeyRow(
  key: string,
  call: OperatorCall,
  source: string,
  at: Date,
): Parameters<typeof claimIdempotencyKey>[1] {
  const { deps, tenant, requestId } = call
  return {
    id: newOrderedId(at),
    ...idempotencyKeyColumns(key, call),
    fingerprint: deps.secrets.ofTenant(tenant).mac(macUse, source),
    requestId,
    runningUntil: plusMs(at, deps.config.credentialDeadlineMs + clockToleranceMs),
    expiresAt: plusMs(at, keptMs),
  }
}

/**
 * Returns the answer of the earlier request with a key, if it is stored. Throws 422 if that was another request, and 409 while it runs.
 * `source` is that of the fingerprint of this request.
 */
export function answerOfSame(
  { deps: { secrets }, tenant }: OperatorCall,
  earlier: IdempotencyKeyRow,
  source: string,
  at: Date,
): StoredAnswer | undefined {
  if (!secrets.ofTenant(tenant).isMac(earlier.fingerprint, macUse, source)) throw new Problem('idempotency_key_reused')
  const { id, sealedAnswer } = earlier
  const answer = sealedAnswer === null ? undefined : JSON.parse(secrets.open(sealedAnswer, idempotentAnswerContext(id)))
  refuseWhileRunning(earlier, at)
  return answer
}

function refuseWhileRunning({ state, runningUntil }: IdempotencyKeyRow, at: Date): void {
  const leftMs = runningUntil.getTime() - at.getTime()
  if (state !== 'answered' && leftMs > 0)
    throw new Problem('conflict', {
      message: 'The first request with this Idempotency-Key has not ended yet. Repeat the request later.',
      retryAfterSeconds: Math.min(Math.ceil(leftMs / 1_000), 2),
    })
}

/** Returns the problem of a repeated request whose first answer is not stored. */
export function withUnknownOutcome(): Problem {
  return new Problem('conflict', {
    message:
      'The first request with this Idempotency-Key may have created something, and its answer was not stored. Look whether it exists before you send the request with a new key.',
  })
}

/** Returns the columns of an answer, which is sealed for the row with this id. `data` is its content before it was serialized. */
export function answerColumns(
  { deps, url, body }: OperatorCall,
  id: string,
  text: string,
  data: unknown,
): Pick<IdempotencyKeyRow, 'sealedAnswer' | 'userId'> {
  const sealedAnswer = text.length > maxAnswerBytes ? null : deps.secrets.seal(text, idempotentAnswerContext(id))
  const userId = userIn(data, url.endsWith(usersPath) ? 'id' : 'userId') ?? userIn(body, 'userId') ?? null
  return { sealedAnswer, userId }
}

/** Returns the user that an answer or a body names. */
function userIn(content: unknown, member: 'id' | 'userId'): string | undefined {
  const id: unknown = typeof content === 'object' && content !== null ? Reflect.get(content, member) : undefined
  return typeof id === 'string' ? id : undefined
}

/** The operation whose answer is a user. */
const usersPath = '/v1/users'
