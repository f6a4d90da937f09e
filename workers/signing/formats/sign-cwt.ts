import type { BytesSigner } from '../../../shared/formats/bytes-signer.ts'
import { encodeCbor } from '../../../shared/formats/cbor-encode.ts'
import { coseSigner, signSign1, verifySign1 } from '../../../shared/formats/cose.ts'
import type { UnsignedCwt } from '../../../shared/formats/cwt.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'

/**
 * Signs a CWT (tag 18) and verifies the signature, unless the key is external. `build` creates it for the COSE algorithm of the key. Throws `signature_mismatch`
 * if the key pair does not match.
 */
export async function signCwt(key: BytesSigner, build: (alg: number) => UnsignedCwt): Promise<Buffer> {
  const { alg, sign } = coseSigner(key)
  const { protectedHeader, claims } = build(alg)
  const cose = await signSign1({ protectedHeader, payload: encodeCbor(claims), sign, tagged: true })
  if (!key.isExternal && !verifySign1(cose, key.publicKey).verified) {
    throw new FormatError('signature_mismatch', 'the new signature does not verify')
  }
  return cose
}
