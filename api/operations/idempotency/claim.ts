import { DatabaseUnavailable } from '../../../db/engine/unavailable.ts'
import {
  claimIdempotencyKey,
  type KeyClaim,
  markAnswered,
  releaseIdempotencyKey,
  storeIdempotentAnswer,
} from '../../../db/repos/operations/idempotency-keys.ts'
import type { IdempotencyClaim, OperatorCall, StoredAnswer } from '../../http/idempotency.ts'
import type { RequestHooks } from '../../http/request-hooks.ts'
import { changesUnderKey } from './changes-under-key.ts'
import { answerColumns, answerOfSame, fingerprintSource, newKeyRow, withUnknownOutcome } from './key-row.ts'

/**
 * Claims the `Idempotency-Key` of a request. Returns the stored answer if the key has one. Throws 422 for a key of another request, and
 * 409 while the first request runs, or if its outcome is unknown.
 */
export const claimKey: RequestHooks['claimKey'] = async (key, call, completeEarlier) => {
  const { deps } = call
  const at = deps.clock.now()
  const source = fingerprintSource(call, call.rawBody)
  const claimed = await deps.db.tx((tx) => claimIdempotencyKey(tx, newKeyRow(key, call, source, at), at))
  const stateWithAnswer = completeEarlier ? 'changed' : 'answered'
  if ('claim' in claimed) return { claim: claimOf(claimed.claim, call, stateWithAnswer) }
  const { earlier } = claimed
  const answer = answerOfSame(call, earlier, source, at)
  if (answer && earlier.state === 'answered') return { earlier: answer }
  if (!answer || !completeEarlier) throw withUnknownOutcome()
  if (await completeEarlier(call, dataOf(answer))) {
    await deps.db.tx((tx) => markAnswered(tx, earlier))
    return { earlier: answer }
  }
  await deps.db.tx((tx) => releaseIdempotencyKey(tx, earlier, ['changed']))
  return claimKey(key, call, completeEarlier)
}

function dataOf({ body }: StoredAnswer): unknown {
  return JSON.parse(Buffer.from(body, 'base64').toString())
}

/** `stateWithAnswer` is the state of the key from the commit of its answer until the end of the request. */
function claimOf(claim: KeyClaim, call: OperatorCall, stateWithAnswer: 'changed' | 'answered'): IdempotencyClaim {
  const { deps } = call
  const { db, log } = deps
  const changes = changesUnderKey(deps, claim)
  return {
    deps: changes.deps,
    async store(answer, data, tx) {
      const text = JSON.stringify(answer)
      if (tx) {
        await storeIdempotentAnswer(tx, claim, { ...answerColumns(call, claim.id, text, data), state: stateWithAnswer })
        changes.stored(text)
      } else if (stateWithAnswer !== 'answered' || changes.committedAnswer() !== text) {
        // The request can be over its deadline.
        await db.withoutDeadline
          .tx((late) =>
            storeIdempotentAnswer(late, claim, { ...answerColumns(call, claim.id, text, data), state: 'answered' }),
          )
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
