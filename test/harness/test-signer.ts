import { createPublicKey, diffieHellman, type KeyObject, sign } from 'node:crypto'
import { type EcdsaCurve, rawSignature } from '../../shared/formats/ecdsa.ts'
import type { Agreement, Signer } from '../../workers/signing/keys/signer.ts'

const curves: Record<string, EcdsaCurve> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }

const hashes: Record<EcdsaCurve, string> = { 'P-256': 'sha256', 'P-384': 'sha384', 'P-521': 'sha512' }

/** Signs with ECDSA. Returns r followed by s. */
export function signEcdsa(curve: EcdsaCurve, data: Uint8Array, privateKey: KeyObject): Buffer {
  return rawSignature(curve, sign(hashes[curve], data, privateKey))
}

/** A signer with a key of the test, of any curve that signs. Another public key gives a pair that does not match. */
export function testSigner(
  { privateKey, publicKey = createPublicKey(privateKey) }: { privateKey: KeyObject; publicKey?: KeyObject },
  id = 'test',
): Signer {
  const curve = curves[privateKey.asymmetricKeyDetails?.namedCurve ?? '']
  return {
    id,
    algorithm: curve ? 'ES256' : 'Ed25519',
    provider: 'software',
    publicKey,
    sign: async (bytes) => (curve ? signEcdsa(curve, bytes, privateKey) : sign(null, bytes, privateKey)),
  }
}

/** A key for key agreement with a key of the test. */
export function testAgreement(privateKey: KeyObject, id = 'test'): Agreement {
  return {
    id,
    algorithm: privateKey.asymmetricKeyType === 'x25519' ? 'X25519' : 'ECDH-ES',
    publicKey: createPublicKey(privateKey),
    derive: async (peer) => diffieHellman({ privateKey, publicKey: peer }),
  }
}
