import { Misconfigured } from '../../../../shared/process/dependency.ts'
import type { SecretKeyInDevice } from '../wrapping.ts'
import type { Token } from './open-token.ts'
import { parseKeyUri, TokenUriError } from './token-uri.ts'

/** Returns the secret key of a URI of KEY_ENCRYPTION_KEY. Throws Misconfigured unless the token has one such key, which cannot leave it. */
export async function secretKeyInToken(token: Token, uri: string): Promise<SecretKeyInDevice> {
  const name = nameOf(uri)
  try {
    await token.checkSecretKey(uri)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Misconfigured(`KEY_ENCRYPTION_KEY cannot be used in the token ${token.label}: ${reason}`)
  }
  return {
    name,
    encrypt: (bytes, associated) => token.encrypt(uri, bytes, associated),
    decrypt: (bytes, associated) => token.decrypt(uri, bytes, associated),
  }
}

/** A copy of the token can have another name. */
function nameOf(uri: string): string {
  try {
    const { id, label } = parseKeyUri(uri, 'secret-key')
    return `${Buffer.from(id).toString('hex')} ${label}`
  } catch (error) {
    if (!(error instanceof TokenUriError)) throw error
    throw new Misconfigured(`KEY_ENCRYPTION_KEY ${error.message}`)
  }
}
