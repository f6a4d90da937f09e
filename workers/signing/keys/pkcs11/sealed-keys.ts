import { randomBytes } from 'node:crypto'
import { Misconfigured } from '../../../../shared/process/dependency.ts'
import type { Token } from './open-token.ts'

/** The URI of the secret key of the token, and after this attribute the sealed key-encryption key. */
const attribute = '?x-sealed='
const associated = Buffer.from('trustwright key-encryption key')

/** Creates a key-encryption key and returns it sealed by a secret key of the token, as a value of KEY_ENCRYPTION_KEY. */
export async function sealNewKey(token: Token, label: string): Promise<string> {
  const handle = await token.makeSecretKey({ label, id: label })
  const sealed = await token.encrypt(handle, randomBytes(32), associated)
  return `${handle}${attribute}${sealed.toString('base64url')}`
}

/** Returns whether a value of KEY_ENCRYPTION_KEY is sealed. */
export function isSealed(value: string): boolean {
  return value.includes(attribute)
}

/** Opens a key-encryption key that the token has sealed. Returns its bytes in base64. Throws Misconfigured if the token does not open it. */
export async function openSealedKey(token: Token, value: string): Promise<string> {
  const [handle = '', sealed = ''] = value.split(attribute)
  try {
    const secret = await token.decrypt(handle, Buffer.from(sealed, 'base64url'), associated)
    return secret.toString('base64')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Misconfigured(`The token ${token.label} does not open KEY_ENCRYPTION_KEY: ${reason}`)
  }
}
