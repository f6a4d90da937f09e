import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'

export interface WalletKey {
  privateKey: KeyObject
  publicJwk: object
}

export function newWalletKey(): WalletKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey, publicJwk: publicKey.export({ format: 'jwk' }) }
}

/** A proof of type `jwt` for the credential endpoint. */
export function makeProof(key: WalletKey, issuer: string, nonce: string): string {
  return signed(key, 'openid4vci-proof+jwt', { aud: issuer, iat: now(), nonce })
}

export function makeDpopProof(key: WalletKey, url: string, accessToken?: string): string {
  const ath = accessToken && createHash('sha256').update(accessToken).digest('base64url')
  return signed(key, 'dpop+jwt', { jti: randomUUID(), htm: 'POST', htu: url, iat: now(), ...(ath ? { ath } : {}) })
}

function signed({ privateKey, publicJwk }: WalletKey, typ: string, payload: object): string {
  const content = `${encode({ alg: 'ES256', typ, jwk: publicJwk })}.${encode(payload)}`
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${content}.${signature.toString('base64url')}`
}

const now = () => Math.floor(Date.now() / 1000)

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
