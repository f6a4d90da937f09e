import type { BytesSigner } from '../../shared/formats/bytes-signer.ts'
import { verifyEcdsa } from '../../shared/formats/ecdsa.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import type { Signer } from './keys/signer.ts'

/** Signs a JWT with an Ed25519 key (RFC 8037, section 3.1). `typ` separates the uses of the key. */
export async function signJwt(key: Signer, typ: string, payload: object): Promise<string> {
  const input = inputOf({ alg: 'EdDSA', typ, kid: key.id }, payload)
  const signature = await key.sign(Buffer.from(input))
  return `${input}.${signature.toString('base64url')}`
}

/** Signs a JWT with a P-256 key (RFC 7518, section 3.4). The header has its `typ` and identifies the key. */
export async function signEs256Jwt(key: BytesSigner, header: object, payload: object): Promise<string> {
  const input = inputOf({ alg: 'ES256', ...header }, payload)
  const signature = await key.sign(Buffer.from(input))
  if (!key.isExternal && !verifyEcdsa('P-256', Buffer.from(input), key.publicKey, signature)) {
    throw new FormatError('signature_mismatch', 'the new signature does not verify')
  }
  return `${input}.${signature.toString('base64url')}`
}

function inputOf(header: object, payload: object): string {
  return [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
}
