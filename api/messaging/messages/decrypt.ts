import type { z } from 'zod'
import { findDidsAmong } from '../../../db/repos/identifiers/did-keys.ts'
import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import { Problem, type ProblemDetail } from '../../../shared/errors/errors.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { isJsonObject } from '../../../shared/formats/json-object.ts'
import {
  type AddressedMessage,
  messageFor,
  type ReceivedMessage,
  recipientsOf,
} from '../../../shared/formats/jwm/read-message.ts'
import { decode } from '../../http/body.ts'
import { parseJson } from '../../http/json.ts'
import { agreementKeysOf, didOf, type MessageContext, messageWeight } from './agreement-keys.ts'
import { isFrom } from './is-from.ts'
import type { DecryptRequest } from './schemas.ts'

/**
 * Decrypts a message for the first recipient that is a DID of the tenant, with at most one key agreement. Throws
 * `verification_failed` without details for any fault of the message. Throws `sender_mismatch` if `from` of the message does not
 * match the key that encrypted it, unless `allowSenderMismatch` is set.
 */
export async function requestDecryption(
  context: MessageContext,
  { jwe, allowSenderMismatch }: z.output<typeof DecryptRequest>,
) {
  const { deps, tenantId, deadlineAt } = context
  const message = await findOwnRecipient(context, jwe)
  const [sender] = await agreementKeysOf(context, [message.skid])
  if (!sender || sender instanceof DidError) throw new Problem('verification_failed', { cause: sender })
  const job = { tenantId, message, senderJwk: sender.jwk }
  const weight = messageWeight(1, message.ciphertext.length)
  const { plaintext, recipientDidUrl } = await deps.keys.request('decryptMessages', job, { deadlineAt, weight })
  const payload = parsePayload(Buffer.from(plaintext, 'base64'))
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
  msg: 'Must be the DID of the key that encrypted the message. Set allowSenderMismatch to read the message anyway.',
  param: 'payload.from',
  location: 'body',
}

/**
 * Finds the recipient that is a DID of the tenant. Runs before the sender's DID is resolved, so that a foreign message costs
 * one query.
 */
async function findOwnRecipient({ deps, tenantId }: MessageContext, jwe: ReceivedMessage): Promise<AddressedMessage> {
  try {
    const kids = recipientsOf(jwe)
    const dids = kids.map((kid) => kid && didOf(kid))
    const distinctDids = new Set(dids.filter((did) => did !== undefined))
    const own = await findDidsAmong(deps.db.read, tenantId, [...distinctDids])
    return messageFor(
      jwe,
      dids.findIndex((did) => did !== undefined && own.has(did)),
    )
  } catch (error) {
    if (error instanceof FormatError) throw new Problem('verification_failed', { cause: error })
    throw error
  }
}

/** Parses the decrypted payload, which must be a JSON object. Throws `verification_failed`. */
function parsePayload(plaintext: Buffer): Record<string, unknown> {
  try {
    const payload = parseJson(decode(plaintext))
    if (isJsonObject(payload)) return payload
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  throw new Problem('verification_failed')
}
