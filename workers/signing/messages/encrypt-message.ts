import { findDidKey } from '../../../db/repos/identifiers/did-keys.ts'
import { Problem, type ProblemDetail } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import { publicKeyFromJwk } from '../../../shared/formats/jwk.ts'
import { canAgree } from '../../../shared/formats/jwm/key-agreement.ts'
import { type MessageRecipient, type SealedMessage, sealMessage } from '../../../shared/formats/jwm/seal-message.ts'
import type { MessageToEncrypt } from '../../../shared/jobs/payloads.ts'
import type { SigningDeps } from '../deps.ts'

/** Encrypts with the sender's key. Throws `bad_request` if the key does not exist or a key of a recipient is unusable. */
export async function encryptMessage(
  { db, keyring, clock }: SigningDeps,
  { tenantId, senderDidUrl, recipients, plaintext }: MessageToEncrypt,
): Promise<SealedMessage> {
  const sender = await findDidKey(db.read, tenantId, senderDidUrl, 'X25519', clock.now())
  if (!sender || sender.isRetired) throw unknownReference('senderDidUrl', senderDidUrl, 'GET /v1/dids')
  try {
    const key = await keyring.agreement(db.read, tenantId, sender.id)
    return await sealMessage(Buffer.from(plaintext), { didUrl: sender.didUrl, key }, recipients)
  } catch (error) {
    const invalid = recipients.filter(({ jwk }) => !canAgree(publicKeyFromJwk(jwk)))
    if (invalid.length === 0) throw error
    throw new Problem('bad_request', { details: invalid.map(unusable) })
  }
}

function unusable({ didUrl }: MessageRecipient): ProblemDetail {
  const msg = 'The key is a point of low order and cannot be used for key agreement'
  return { value: didUrl, msg, param: 'recipientDidUrls', location: 'body' }
}
