import { Problem } from '../../../shared/errors/errors.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { openMessage } from '../../../shared/formats/jwm/open-message.ts'
import type { MessageToDecrypt } from '../../../shared/jobs/payloads.ts'
import type { SigningDeps } from '../deps.ts'
import { ownKey } from './own-key.ts'

/** Decrypts a message to one of the tenant's DIDs. Throws the same problem for every error. */
export async function decryptMessage(
  deps: SigningDeps,
  { tenantId, message, senderJwk }: MessageToDecrypt,
): Promise<{ plaintext: string; recipientDidUrl: string }> {
  const recipient = await ownKey(deps, tenantId, message.kid, 'X25519')
  if (!recipient) throw verificationFailed()
  try {
    const plaintext = openMessage(message, { privateKey: recipient.privateKey, senderJwk })
    return { plaintext: Buffer.from(plaintext).toString('base64'), recipientDidUrl: recipient.didUrl }
  } catch (error) {
    if (error instanceof FormatError) throw verificationFailed(error)
    throw error
  }
}

function verificationFailed(cause?: unknown): Problem {
  return new Problem('verification_failed', { cause })
}
