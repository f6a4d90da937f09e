import { findDidKey } from '../../../db/repos/identifiers/did-keys.ts'
import { findProblem, Problem } from '../../../shared/errors/errors.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { openMessage } from '../../../shared/formats/jwm/open-message.ts'
import type { MessageToDecrypt } from '../../../shared/jobs/payloads.ts'
import type { SigningDeps } from '../deps.ts'

/** Decrypts a message to one of the tenant's DIDs. Throws the same problem for every error. */
export async function decryptMessage(
  { db, keyring, clock }: SigningDeps,
  { tenantId, message, senderJwk }: MessageToDecrypt,
): Promise<{ plaintext: string; recipientDidUrl: string }> {
  const recipient = await findDidKey(db.read, tenantId, message.kid, 'X25519', clock.now())
  if (!recipient) throw verificationFailed()
  try {
    const key = await keyring.agreement(db.read, tenantId, recipient.id)
    const plaintext = await openMessage(message, { key, senderJwk })
    return { plaintext: Buffer.from(plaintext).toString('base64'), recipientDidUrl: recipient.didUrl }
  } catch (error) {
    if (error instanceof FormatError) throw findProblem(error) ?? verificationFailed(error)
    throw error
  }
}

function verificationFailed(cause?: unknown): Problem {
  return new Problem('verification_failed', { cause })
}
