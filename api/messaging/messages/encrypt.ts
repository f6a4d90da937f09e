import type { z } from 'zod'
import { findDidKeys } from '../../../db/repos/identifiers/did-keys.ts'
import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import { Problem, type ProblemDetail, wrongField } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import { maxPlaintextBytes } from '../../../shared/formats/jwm/limits.ts'
import type { MessageRecipient, SealedMessage } from '../../../shared/formats/jwm/seal-message.ts'
import { dottedPath } from '../../../shared/formats/lossless-json.ts'
import { agreementKeysOf, didOf, type MessageContext, messageWeight } from './agreement-keys.ts'
import { isFrom } from './is-from.ts'
import type { EncryptRequest } from './schemas.ts'

/**
 * Encrypts a message for all recipients. If one recipient has no key, nothing is encrypted. Throws `bad_request` with the wrong
 * sender, the wrong `from` of the message, or the recipients without a key.
 */
export async function requestEncryption(
  context: MessageContext,
  body: z.output<typeof EncryptRequest>,
): Promise<SealedMessage> {
  const { deps, tenantId, deadlineAt } = context
  const plaintext = JSON.stringify(body.payload)
  if (Buffer.byteLength(plaintext) > maxPlaintextBytes) {
    throw wrongField('payload', `Must be at most ${maxPlaintextBytes.toLocaleString('en')} bytes of JSON`)
  }
  const senderDidUrl = await senderOf(context, body.senderDidUrl)
  if (!isFrom(body.payload, senderDidUrl))
    throw wrongField('payload.from', 'Must be the DID of senderDidUrl or left out', body.payload.from)
  const recipients = await recipientsOf(context, body.recipientDidUrls)
  const message = { tenantId, senderDidUrl, recipients, plaintext }
  const weight = messageWeight(recipients.length, plaintext.length)
  return deps.keys.request('encryptMessages', message, { deadlineAt, weight })
}

/** Returns the DID URL of the tenant's key for a DID or DID URL. Throws `bad_request`. */
async function senderOf({ deps, tenantId }: MessageContext, didUrl: string): Promise<string> {
  const [param, did] = ['senderDidUrl', didOf(didUrl)]
  const keys = await findDidKeys(deps.db.read, tenantId, did, deps.clock.now())
  const named = didUrl === did ? keys : keys.filter((key) => key.didUrl === didUrl)
  if (named.length === 0) throw unknownReference(param, didUrl, 'GET /v1/dids')
  const key = named.find(({ algorithm, isRetired }) => algorithm === 'X25519' && !isRetired)
  if (!key) throw wrongField(param, 'Must name a key for key agreement (X25519)', didUrl)
  return key.didUrl
}

/** Returns the key of each recipient once. The details of a problem have the first index of the DID URL in the list. */
async function recipientsOf(context: MessageContext, didUrls: string[]): Promise<MessageRecipient[]> {
  const distinctUrls = [...new Set(didUrls)]
  const keys = await agreementKeysOf(context, distinctUrls)
  const details: ProblemDetail[] = []
  const recipients = new Map<string, MessageRecipient>()
  for (const [index, value] of distinctUrls.entries()) {
    const each = keys[index]
    if (each instanceof DidError) {
      const param = dottedPath(['recipientDidUrls', didUrls.indexOf(value)])
      details.push({ value, msg: each.message, param, location: 'body' })
    } else if (each) recipients.set(each.didUrl, each)
  }
  if (details.length > 0) throw new Problem('bad_request', { details })
  return [...recipients.values()]
}
