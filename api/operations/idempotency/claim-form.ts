import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  claimIdempotencyKey,
  findClaimedKey,
  type IdempotencyKeyRow,
  storeIdempotentAnswer,
} from '../../../db/repos/operations/idempotency-keys.ts'
import { EarlierAnswer, type OperatorCall, type StoredAnswer } from '../../http/idempotency.ts'
import type { RequestHooks } from '../../http/request-hooks.ts'
import {
  answerColumns,
  answerOfSame,
  fingerprintSource,
  idempotencyKeyColumns,
  newKeyRow,
  withUnknownOutcome,
} from './key-row.ts'

/**
 * The `Idempotency-Key` of a form. The file of a known key is read for its fingerprint only, so that a repeated upload needs no space.
 * Another key is claimed by the transaction that completes the upload.
 */
export const claimFormKey: RequestHooks['claimFormKey'] = async (key, call) => {
  const { deps, tenantId } = call
  const hash = createHash('sha256')
  const earlier = await findClaimedKey(deps.db.read, idempotencyKeyColumns(key, call), deps.clock.now())
  if (earlier) {
    const end = deps.uploads.begin(tenantId)
    try {
      for await (const chunk of call.file().stream) hash.update(chunk)
    } finally {
      end()
    }
    return { earlier: requireAnswer(call, earlier, sourceOf(call, hash)) }
  }
  const sent = call.file()
  const file = { ...sent, stream: Readable.from(hashed(sent.stream, hash), { objectMode: false }) }
  // Prevents an unhandled error after the handler stopped reading.
  file.stream.on('error', () => {})
  return {
    claim: {
      file: () => file,
      async store(tx, answer, data) {
        const at = deps.clock.now()
        const source = sourceOf(call, hash)
        const claimed = await claimIdempotencyKey(tx, newKeyRow(key, call, source, at), at)
        if ('earlier' in claimed) throw new EarlierAnswer(requireAnswer(call, claimed.earlier, source))
        const { claim } = claimed
        const columns = answerColumns(call, claim.id, JSON.stringify(answer), data)
        await storeIdempotentAnswer(tx, claim, { ...columns, state: 'answered' })
      },
    },
  }
}

async function* hashed(stream: AsyncIterable<Buffer>, hash: Hash): AsyncIterable<Buffer> {
  for await (const chunk of stream) {
    hash.update(chunk)
    yield chunk
  }
}

/** The boundary of a form differs in each request, so that its content counts. `hash` has the bytes of the file. */
function sourceOf(call: OperatorCall, hash: Hash): string {
  return fingerprintSource(call, JSON.stringify([call.form(), call.file().fileName, hash.copy().digest('base64url')]))
}

function requireAnswer(call: OperatorCall, earlier: IdempotencyKeyRow, source: string): StoredAnswer {
  const answer = answerOfSame(call, earlier, source, call.deps.clock.now())
  if (!answer) throw withUnknownOutcome()
  return answer
}
