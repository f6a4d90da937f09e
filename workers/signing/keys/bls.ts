import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** Generates a BLS12-381 key pair with a compressed public key in G2 (96 bytes), for `Bls12381G2Key2020`. Few tenants have such keys. */
export function generateBlsKeyPair(): { publicKey: Uint8Array; privateKey: Uint8Array } {
  const { bls12_381 }: typeof import('@noble/curves/bls12-381.js') = load('@noble/curves/bls12-381.js')
  const { secretKey, publicKey } = bls12_381.shortSignatures.keygen()
  return { publicKey: publicKey.toBytes(true), privateKey: secretKey }
}
