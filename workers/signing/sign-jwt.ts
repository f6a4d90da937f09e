import { type KeyObject, sign } from 'node:crypto'
import { signEcdsa, verifyEcdsa } from '../../shared/formats/ecdsa.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import type { SigningKey } from './keyring.ts'

/** A JWT under an Ed25519 key (RFC 8037, section 3.1), its `typ` told apart from every other use of the key. */
export function signJwt({ id, privateKey }: SigningKey, typ: string, payload: object): string {
  const input = inputOf({ alg: 'EdDSA', typ, kid: id }, payload)
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`
}

/** A JWT under a P-256 key (RFC 7518, section 3.4); the header says its `typ` and how the key is found. */
export function signEs256Jwt(
  { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject },
  header: object,
  payload: object,
): string {
  const input = inputOf({ alg: 'ES256', ...header }, payload)
  const signature = signEcdsa('P-256', Buffer.from(input), privateKey)
  if (!verifyEcdsa('P-256', Buffer.from(input), publicKey, signature)) {
    throw new FormatError('signature_mismatch', 'our own signature does not verify')
  }
  return `${input}.${signature.toString('base64url')}`
}

function inputOf(header: object, payload: object): string {
  return [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
}
