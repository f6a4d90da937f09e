import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
} from 'node:crypto'
import { promisify } from 'node:util'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { KeyRow } from '../../../db/repos/identifiers/keys.ts'
import type { KeyAlgorithm } from '../../../db/tables/identifiers/keys.ts'
import { softwareProvider } from '../../../shared/domain/identifiers/key-policy.ts'
import { agreementJwkOf } from '../../../shared/formats/agreement-key.ts'
import { rawSignature } from '../../../shared/formats/ecdsa.ts'
import { publicJwk } from '../../../shared/formats/jwk.ts'
import { generateBlsKeyPair } from './bls.ts'
import type { Agreement, Signer } from './signer.ts'

/** A key of this process before it is wrapped. */
export interface SoftwareKey {
  publicJwk: KeyRow['publicJwk']
  /** PKCS #8 in DER. The private scalar of BLS12-381. */
  privateBytes: Buffer
}

export function generateSoftwareKey(algorithm: KeyAlgorithm): SoftwareKey {
  if (algorithm === 'Bls12381G2') {
    const { publicKey, privateKey } = generateBlsKeyPair()
    const x = Buffer.from(publicKey).toString('base64url')
    return { publicJwk: { kty: 'OKP', crv: 'Bls12381G2', x }, privateBytes: Buffer.from(privateKey) }
  }
  return keyPairOf(generateKeyPair(algorithm).privateKey)
}

/** Derives the X25519 key of an Ed25519 key, from the hash that Ed25519 signs with (RFC 8032, section 5.1.5). */
export function softwareAgreementKeyOf(privateBytes: Buffer): SoftwareKey {
  const { d, x } = privateKeyOf(privateBytes).export({ format: 'jwk' })
  if (!d || !x) throw new Error('not a private key of Ed25519')
  const secret = ed25519.utils.toMontgomerySecret(Buffer.from(d, 'base64url'))
  const { x: publicX } = agreementJwkOf({ kty: 'OKP', crv: 'Ed25519', x })
  const jwk = { kty: 'OKP', crv: 'X25519', d: Buffer.from(secret).toString('base64url'), x: publicX }
  return keyPairOf(createPrivateKey({ key: jwk, format: 'jwk' }))
}

/** Returns the signer or the agreement of a private key. Throws for a key of BLS12-381, which signs nothing yet. */
export function openSoftwareKey({ id, algorithm }: Pick<KeyRow, 'id' | 'algorithm'>, privateBytes: Buffer) {
  if (algorithm === 'Bls12381G2') throw new Error(`the key ${id} of ${algorithm} cannot be used`)
  const privateKey = privateKeyOf(privateBytes)
  const publicKey = createPublicKey(privateKey)
  if (algorithm === 'ES256' || algorithm === 'Ed25519')
    return signerOf({ id, algorithm, provider: softwareProvider, publicKey }, privateKey)
  const derive = async (peer: KeyObject) => diffieHellman({ privateKey, publicKey: peer })
  return { id, algorithm, publicKey, derive } satisfies Agreement
}

/** The hash of more bytes would block the event loop for milliseconds. A thread of Node.js computes it. */
const maxImmediateBytes = 500_000
const signOnThread = promisify<string | null, Uint8Array, KeyObject, Buffer>(signBytes)

/** A signature of few bytes is computed in the call. */
function signerOf(key: Omit<Signer, 'sign'>, privateKey: KeyObject): Signer {
  const hash = key.algorithm === 'ES256' ? 'sha256' : null
  async function sign(bytes: Uint8Array): Promise<Buffer> {
    const isLarge = bytes.length > maxImmediateBytes
    const signature = isLarge ? await signOnThread(hash, bytes, privateKey) : signBytes(hash, bytes, privateKey)
    return hash ? rawSignature('P-256', signature) : signature
  }
  return { ...key, sign }
}

function privateKeyOf(privateBytes: Buffer): KeyObject {
  return createPrivateKey({ key: privateBytes, format: 'der', type: 'pkcs8' })
}

function keyPairOf(privateKey: KeyObject): SoftwareKey {
  const privateBytes = privateKey.export({ format: 'der', type: 'pkcs8' })
  return { publicJwk: publicJwk(createPublicKey(privateKey)), privateBytes }
}

function generateKeyPair(algorithm: Exclude<KeyAlgorithm, 'Bls12381G2'>) {
  if (algorithm === 'ES256' || algorithm === 'ECDH-ES') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return algorithm === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519')
}
