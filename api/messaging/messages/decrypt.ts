import type { z } from 'zod'
import { findDidsAmong } from '../../../db/repos/identifiers/did-keys.ts'
import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import { Problem, type ProblemDetail } from '../../../shared/errors.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import {
  type AddressedMessage,
  messageFor,
  type ReceivedMessage,
  recipientsOf,
} from '../../../shared/formats/jwm/read-message.ts'
import { decode } from '../../http/body.ts'
import { parseJson } from '../../http/json.ts'
import { type Asking, agreementKeysOf, didOf, messageWeight } from './agreement-keys.ts'
import { isFrom } from './is-from.ts'
import type { DecryptRequest } from './schemas.ts'

/**
 * Opens a message for the first recipient that is a DID of the tenant's, with one agreement on keys at most. Whatever is
 * wrong with it, `verification_failed` says no more than that. Throws `sender_mismatch` for a message that names another sender than the
 * key that encrypted it, unless `allowSenderMismatch` is set.
 */
export async function decrypt(asking: Asking, { jwe, allowSenderMismatch }: z.output<typeof DecryptRequest>) {
  const { deps, tenantId, deadlineAt } = asking
  const message = await ourPart(asking, jwe)
  const [sender] = await agreementKeysOf(asking, [message.skid])
  if (!sender || sender instanceof DidError) throw new Problem('verification_failed', { cause: sender })
  const job = { tenantId, message, senderJwk: sender.jwk }
  const weight = messageWeight(1, message.ciphertext.length)
  const { plaintext, recipientDidUrl } = await deps.keys.request('decryptMessages', job, { deadlineAt, weight })
  const payload = payloadIn(Buffer.from(plaintext, 'base64'))
  const senderMatches = isFrom(payload, sender.didUrl)
  if (!senderMatches && !allowSenderMismatch) throw new Problem('sender_mismatch', { details: [otherSender] })
  return {
    payload,
    senderDidUrl: sender.didUrl,
    senderMatches,
    senderPublicJwk: sender.jwk,
    recipientDidUrl,
  }
}

const otherSender: ProblemDetail = {
  msg: 'Is not the DID of the key that encrypted the message. Set allowSenderMismatch to read it anyway',
  param: 'payload.from',
  location: 'body',
}

/** Before anybody is asked who the sender is: a message for others costs nothing but a look into the database. */
async function ourPart({ deps, tenantId }: Asking, jwe: ReceivedMessage): Promise<AddressedMessage> {
  try {
    const kids = recipientsOf(jwe)
    const dids = kids.map((kid) => kid && didOf(kid))
    const wanted = new Set(dids.filter((did) => did !== undefined))
    const own = await findDidsAmong(deps.db.read, tenantId, [...wanted])
    return messageFor(
      jwe,
      dids.findIndex((did) => did !== undefined && own.has(did)),
    )
  } catch (error) {
    if (error instanceof FormatError) throw new Problem('verification_failed', { cause: error })
    throw error
  }
}

/** What the sender encrypted has to be an object that can be told as it is. */
function payloadIn(plaintext: Buffer): Record<string, unknown> {
  try {
    const payload = parseJson(decode(plaintext))
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) {
      return payload as Record<string, unknown>
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  throw new Problem('verification_failed')
}
