import { hash } from 'node:crypto'
import type { BytesSigner } from '../../../shared/formats/bytes-signer.ts'
import { type CborValue, encodedCbor } from '../../../shared/formats/cbor.ts'
import { encodeCbor } from '../../../shared/formats/cbor-encode.ts'
import { coseHeader, coseSigner, sign1Parts, verifySign1 } from '../../../shared/formats/cose.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { buildMdoc, type MdocInput, type NamespaceDigests } from '../../../shared/formats/mdoc/issuer-signed.ts'

/** A document signer's certificate (DER) and its key. */
export interface MdocSigner {
  readonly certificateDer: Uint8Array
  readonly key: BytesSigner
}

export interface SignedMdoc {
  /** IssuerSigned, base64url (OpenID4VCI 1.0, appendix A.2.4). */
  readonly credential: string
  readonly namespaces: NamespaceDigests
  /** SHA-256 of the mobile security object, base64url. */
  readonly msoHash: string
}

/**
 * Builds and signs one mdoc, and verifies the signature, unless the key is external. Throws `signature_mismatch` if the key pair does not match, and `invalid_jwk` if
 * COSE cannot express the device key.
 */
export async function signMdoc(input: MdocInput, { certificateDer, key }: MdocSigner): Promise<SignedMdoc> {
  const { nameSpaces, mso, digests } = buildMdoc(input)
  const { alg, sign } = coseSigner(key)
  const issuerAuth = await sign1Parts({
    protectedHeader: new Map([[coseHeader.alg, alg]]),
    // The chain contains only the certificate of the document signer. Readers have that of the IACA (ISO/IEC 18013-5, 9.1.2.4).
    unprotectedHeader: new Map([[coseHeader.x5chain, certificateDer]]),
    payload: encodeCbor(encodedCbor(mso)),
    sign,
  })
  if (!key.isExternal && !verifySign1(encodeCbor(issuerAuth), key.publicKey).verified) {
    throw new FormatError('signature_mismatch', 'the new signature does not verify')
  }
  const issuerSigned = encodeCbor(
    new Map<CborValue, CborValue>([
      ['nameSpaces', nameSpaces],
      ['issuerAuth', issuerAuth],
    ]),
  )
  return {
    credential: issuerSigned.toString('base64url'),
    namespaces: digests,
    msoHash: hash('sha256', mso, 'buffer').toString('base64url'),
  }
}
