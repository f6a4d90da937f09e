import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import type { Batch } from './driver-jobs.ts'

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

/** A proof of type `attestation` of several keys. */
export function makeKeyAttestation(
  { x5c, privateKey: pkcs8 }: Batch['attester'],
  keys: readonly WalletKey[],
  nonce: string,
): string {
  const privateKey = createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' })
  const payload = { iat: now(), exp: now() + 300, nonce, attested_keys: keys.map(({ publicJwk }) => publicJwk) }
  return signedWith(privateKey, { alg: 'ES256', typ: 'key-attestation+jwt', x5c }, payload)
}

export function makeDpopProof(key: WalletKey, url: string, accessToken?: string): string {
  const ath = accessToken && createHash('sha256').update(accessToken).digest('base64url')
  return signed(key, 'dpop+jwt', { jti: randomUUID(), htm: 'POST', htu: url, iat: now(), ...(ath ? { ath } : {}) })
}

function signed({ privateKey, publicJwk }: WalletKey, typ: string, payload: object): string {
  return signedWith(privateKey, { alg: 'ES256', typ, jwk: publicJwk }, payload)
}

function signedWith(privateKey: KeyObject, header: object, payload: object): string {
  const content = `${encode(header)}.${encode(payload)}`
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${content}.${signature.toString('base64url')}`
}

const now = () => Math.floor(Date.now() / 1000)

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
