import { bls12_381 } from '@noble/curves/bls12-381.js'

/** Generates a BLS12-381 key pair with a compressed public key in G2 (96 bytes), for `Bls12381G2Key2020`. */
export function generateBlsKeyPair(): { publicKey: Uint8Array; privateKey: Uint8Array } {
  const { secretKey, publicKey } = bls12_381.shortSignatures.keygen()
  return { publicKey: publicKey.toBytes(true), privateKey: secretKey }
}
