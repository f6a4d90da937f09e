import { bls12_381 } from '@noble/curves/bls12-381.js'

/** A BLS12-381 key pair with its public key in G2, compressed (96 bytes), as `Bls12381G2Key2020` has it. */
export function generateBlsKeyPair(): { publicKey: Uint8Array; privateKey: Uint8Array } {
  const { secretKey, publicKey } = bls12_381.shortSignatures.keygen()
  return { publicKey: publicKey.toBytes(true), privateKey: secretKey }
}
