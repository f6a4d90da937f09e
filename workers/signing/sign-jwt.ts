import { sign } from 'node:crypto'
import type { SigningKey } from './keyring.ts'

/** A JWT under an Ed25519 key (RFC 8037, section 3.1), its `typ` told apart from every other use of the key. */
export function signJwt({ id, privateKey }: SigningKey, typ: string, payload: object): string {
  const signingInput = [{ alg: 'EdDSA', typ, kid: id }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signingInput}.${sign(null, Buffer.from(signingInput), privateKey).toString('base64url')}`
}
