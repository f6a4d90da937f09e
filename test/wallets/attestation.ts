import { randomUUID } from 'node:crypto'
import { importJWK, type JWK, SignJWT } from 'jose'
import {
  base64Of,
  type CertificateOptions,
  type Certified,
  newCertificate,
  pemOf,
} from '../certificates/certificates.ts'
import type { HolderKeyPair } from './wallet.ts'

/** A wallet provider: a trusted root, and a leaf certificate under it that signs attestations. */
export interface Attester {
  rootPem: string
  root: Certified
  leaf: Certified
  x5c: string[]
}

export async function newAttester(options: Partial<CertificateOptions> = {}): Promise<Attester> {
  const root = await newCertificate({ name: `Root ${randomUUID()}`, ca: true })
  const leaf = await newCertificate({ name: 'Attester', issuer: root, ...options })
  return { rootPem: pemOf(root), root, leaf, x5c: [base64Of(leaf)] }
}

export interface JwtChanges {
  /** An undefined member is removed. */
  header?: Record<string, unknown>
  payload?: Record<string, unknown>
}

const now = () => Math.floor(Date.now() / 1000)
const without = (value: object) => JSON.parse(JSON.stringify(value))

/** Signs a client attestation of the key for the client. */
export function attestClient(
  { leaf, x5c }: Attester,
  { clientId, publicJwk }: { clientId: string; publicJwk: JWK },
  { header, payload }: JwtChanges = {},
): Promise<string> {
  const claims = { sub: clientId, iat: now(), exp: now() + 300, cnf: { jwk: publicJwk }, ...payload }
  return new SignJWT(without(claims))
    .setProtectedHeader(without({ alg: 'ES256', typ: 'oauth-client-attestation+jwt', x5c, ...header }))
    .sign(leaf.keys.privateKey)
}

/** Signs the proof that the wallet has the attested key. */
export async function possessionOf(
  { publicJwk: _, privateJwk, alg }: HolderKeyPair,
  aud: string,
  { header, payload }: JwtChanges = {},
): Promise<string> {
  return new SignJWT(without({ aud, jti: randomUUID(), iat: now(), ...payload }))
    .setProtectedHeader(without({ alg, typ: 'oauth-client-attestation-pop+jwt', ...header }))
    .sign(await importJWK(privateJwk, alg))
}

/** Signs a key attestation (OpenID4VCI 1.0, appendix D). */
export function attestKeys(
  { leaf, x5c }: Attester,
  { keys, nonce }: { keys: HolderKeyPair[]; nonce?: string | undefined },
  { header, payload }: JwtChanges = {},
): Promise<string> {
  const attested_keys = keys.map(({ publicJwk }) => publicJwk)
  const claims = { iat: now(), exp: now() + 300, nonce, attested_keys, key_storage: ['iso_18045_high'], ...payload }
  return new SignJWT(without(claims))
    .setProtectedHeader(without({ alg: 'ES256', typ: 'key-attestation+jwt', x5c, ...header }))
    .sign(leaf.keys.privateKey)
}
