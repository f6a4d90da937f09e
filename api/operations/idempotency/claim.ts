import { createHash } from 'node:crypto'
import { DatabaseUnavailable } from '../../../db/engine/unavailable.ts'
import {
  claimIdempotencyKey,
  type IdempotencyKeyRow,
  type KeyClaim,
  markAnswered,
  releaseIdempotencyKey,
  storeIdempotentAnswer,
} from '../../../db/repos/operations/idempotency-keys.ts'
import { hourMs, plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors.ts'
import { hashSecret, newOrderedId } from '../../../shared/ids.ts'
import type { SealContext } from '../../../shared/sealing.ts'
import type { Deps } from '../../deps.ts'
import type { IdempotencyClaim, OperatorCall, StoredAnswer } from '../../http/idempotency.ts'
import type { RequestHooks } from '../../http/request-hooks.ts'
import { changesUnderKey } from './changes-under-key.ts'

const keptMs = 24 * hourMs
/** A request commits nothing after its deadline. The addition covers clocks that differ between machines. */
const clockToleranceMs = 5_000
const maxAnswerBytes = 256 * 1024
const macUse = 'fingerprint of a request'

/**
 * Claims the `Idempotency-Key` of a request. Returns the stored answer if the key has one. Throws 422 for a key of another request, and
 * 409 while the first request runs, or if its outcome is unknown.
 */
export const claimKey: RequestHooks['claimKey'] = async (key, call, completeEarlier) => {
  const { deps, tenantId, requestId, caller } = call
  const at = deps.clock.now()
  const request = fingerprintSource(call)
  const claimed = await deps.db.tx((tx) =>
    claimIdempotencyKey(
      tx,
      {
        id: newOrderedId(at),
        tenantId,
        callerId: caller.clientId ?? caller.managementUserId ?? '',
        keyHash: hashSecret(key),
        fingerprint: deps.secrets.mac(macUse, request),
        requestId,
        runningUntil: plusMs(at, deps.config.credentialDeadlineMs + clockToleranceMs),
        expiresAt: plusMs(at, keptMs),
      },
      at,
    ),
  )
  const stateWithAnswer = completeEarlier ? 'changed' : 'answered'
  if ('claim' in claimed) return { claim: claimOf(claimed.claim, call, stateWithAnswer) }
  const { earlier } = claimed
  if (!deps.secrets.isMac(earlier.fingerprint, macUse, request)) throw new Problem('idempotency_key_reused')
  const answer = storedAnswerOf(deps, earlier)
  if (answer && earlier.state === 'answered') return { earlier: answer }
  refuseWhileRunning(earlier, at)
  if (!answer || !completeEarlier) throw withUnknownOutcome()
  if (await completeEarlier(call, dataOf(answer))) {
    await deps.db.tx((tx) => markAnswered(tx, earlier))
    return { earlier: answer }
  }
  await deps.db.tx((tx) => releaseIdempotencyKey(tx, earlier, ['changed']))
  return claimKey(key, call, completeEarlier)
}

function fingerprintSource({ method, url, query, rawBody }: OperatorCall): string {
  return [method, url, JSON.stringify(query ?? {}), createHash('sha256').update(rawBody).digest('base64url')].join('\n')
}

function storedAnswerOf({ secrets }: Deps, { id, sealedAnswer }: IdempotencyKeyRow): StoredAnswer | undefined {
  return sealedAnswer === null ? undefined : JSON.parse(secrets.open(sealedAnswer, contextOf(id)))
}

function dataOf({ body }: StoredAnswer): unknown {
  return JSON.parse(Buffer.from(body, 'base64').toString())
}

function refuseWhileRunning({ state, runningUntil }: IdempotencyKeyRow, at: Date): void {
  const leftMs = runningUntil.getTime() - at.getTime()
  if (state !== 'answered' && leftMs > 0)
    throw new Problem('conflict', {
      message: 'The first request with this Idempotency-Key has not ended yet. Repeat the request later.',
      retryAfterSeconds: Math.min(Math.ceil(leftMs / 1_000), 2),
    })
}

function withUnknownOutcome(): Problem {
  return new Problem('conflict', {
    message:
      'The first request with this Idempotency-Key may have created something, and its answer was not stored. Look whether it exists before you send the request with a new key.',
  })
}

/** `stateWithAnswer` is the state of the key from the commit of its answer until the end of the request. */
function claimOf(claim: KeyClaim, call: OperatorCall, stateWithAnswer: 'changed' | 'answered'): IdempotencyClaim {
  const { deps } = call
  const { db, secrets, log } = deps
  const changes = changesUnderKey(deps, claim)
  const rowOf = (text: string, data: unknown) => {
    const sealedAnswer = text.length > maxAnswerBytes ? null : secrets.seal(text, contextOf(claim.id))
    const userId = userIn(data, call.url.endsWith(usersPath) ? 'id' : 'userId') ?? userIn(call.body, 'userId') ?? null
    return { sealedAnswer, userId }
  }
  return {
    deps: changes.deps,
    async store(answer, data, tx) {
      const text = JSON.stringify(answer)
      if (tx) {
        await storeIdempotentAnswer(tx, claim, { ...rowOf(text, data), state: stateWithAnswer })
        changes.stored(text)
      } else if (stateWithAnswer !== 'answered' || changes.committedAnswer() !== text) {
        // The request can be over its deadline.
        await db.withoutDeadline
          .tx((late) => storeIdempotentAnswer(late, claim, { ...rowOf(text, data), state: 'answered' }))
          .catch((err) => log.warn({ err }, 'answer for repeated requests not stored'))
      }
    },
    async release(error) {
      // Handlers undo what they began. After a commit without a reply, the mark shows whether it happened.
      const isUncertain = error instanceof DatabaseUnavailable
      await db.withoutDeadline
        .tx((tx) => releaseIdempotencyKey(tx, claim, isUncertain ? ['running'] : ['running', 'changed', 'answered']))
        .catch((err) => log.warn({ err }, 'idempotency key not released'))
    },
  }
}

/** Returns the user that an answer or a body names. */
function userIn(content: unknown, member: 'id' | 'userId'): string | undefined {
  const id: unknown = typeof content === 'object' && content !== null ? Reflect.get(content, member) : undefined
  return typeof id === 'string' ? id : undefined
}

/** The operation whose answer is a user. */
const usersPath = '/v1/users'

/** The answer is stored for one row only. */
function contextOf(id: string): SealContext {
  return { use: 'idempotent answer', place: `idempotent answer ${id}` }
}
