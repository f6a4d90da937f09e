import { createHash, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, importJWK, SignJWT } from 'jose'
import { type HolderKeyPair, newHolderKey } from './wallet.ts'

export interface DpopOptions {
  key: HolderKeyPair
  method?: string
  url: string
  accessToken?: string
  nonce?: string
  header?: Record<string, unknown>
  /** An undefined member is removed. */
  payload?: Record<string, unknown>
}

export const newDpopKey = () => newHolderKey('ES256')
export const jktOf = ({ publicJwk }: HolderKeyPair) => calculateJwkThumbprint(publicJwk)

/** Makes a DPoP proof (RFC 9449, section 4.2). Options can make any part wrong. */
export async function dpopProof({ key, method = 'POST', url, accessToken, nonce, header, payload }: DpopOptions) {
  const claims = {
    jti: randomUUID(),
    htm: method,
    htu: url,
    iat: Math.floor(Date.now() / 1000),
    ath: accessToken && createHash('sha256').update(accessToken).digest('base64url'),
    nonce,
    ...payload,
  }
  return new SignJWT(JSON.parse(JSON.stringify(claims)))
    .setProtectedHeader({ alg: key.alg, typ: 'dpop+jwt', jwk: key.publicJwk, ...header } as never)
    .sign(await importJWK(key.privateJwk, key.alg))
}
