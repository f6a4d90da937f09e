import { type KeyObject, sign } from 'node:crypto'
import { signEcdsa, verifyEcdsa } from '../../shared/formats/ecdsa.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import type { SigningKey } from './keyring.ts'

/** Signs a JWT with an Ed25519 key (RFC 8037, section 3.1). `typ` separates the uses of the key. */
export function signJwt({ id, privateKey }: SigningKey, typ: string, payload: object): string {
  const input = inputOf({ alg: 'EdDSA', typ, kid: id }, payload)
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`
}

/** Signs a JWT with a P-256 key (RFC 7518, section 3.4). The header has its `typ` and identifies the key. */
export function signEs256Jwt(
  { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject },
  header: object,
  payload: object,
): string {
  const input = inputOf({ alg: 'ES256', ...header }, payload)
  const signature = signEcdsa('P-256', Buffer.from(input), privateKey)
  if (!verifyEcdsa('P-256', Buffer.from(input), publicKey, signature)) {
    throw new FormatError('signature_mismatch', 'the new signature does not verify')
  }
  return `${input}.${signature.toString('base64url')}`
}

function inputOf(header: object, payload: object): string {
  return [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
}
