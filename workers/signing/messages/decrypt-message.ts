import { Problem } from '../../../shared/errors.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { openMessage } from '../../../shared/formats/jwm/open-message.ts'
import type { MessageToDecrypt } from '../../../shared/jobs/payloads.ts'
import type { SigningDeps } from '../deps.ts'
import { ownKey } from './own-key.ts'

/** Opens a message that was encrypted for one of the tenant's DIDs. Whatever is wrong, the problem is the same. */
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
