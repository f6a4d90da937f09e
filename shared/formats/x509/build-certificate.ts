import { type KeyObject, randomBytes } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  Certificate,
  Extensions,
  type Name,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'
import type { BytesSigner } from '../bytes-signer.ts'
import { derSignature } from '../ecdsa.ts'
import { arrayBuffer, extensionsOf, publicKeyInfoOf } from './extensions.ts'
import { type CertificateSubject, nameOf } from './name.ts'
import { type IssuedKind, profileOf } from './profiles.ts'

export interface CertificateToBuild {
  kind: IssuedKind
  subject: CertificateSubject
  /** The subject of the certificate. */
  publicKey: KeyObject
  /** The authority that signs it. A root signs itself. */
  issuer: { name: Name; key: BytesSigner }
  /** The number from `newSerialNumber`, in hexadecimal. */
  serialNumber: string
  /** The begin of the validity, in whole seconds. */
  notBefore: Date
  notAfter: Date
  subjectUrl: string
  issuerUrl: string
  crlUrl: string
}

/** Returns the DER of a certificate with the profile of its kind (profiles.ts). */
export async function buildCertificate(content: CertificateToBuild): Promise<Buffer> {
  const { kind, subject, publicKey, issuer, serialNumber, notBefore, notAfter } = content
  const issuerKey = issuer.key.publicKey
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: arrayBuffer(Buffer.from(serialNumber, 'hex')),
    signature: ecdsaWithSha256(),
    issuer: issuer.name,
    validity: new Validity({ notBefore, notAfter }),
    subject: nameOf(subject),
    subjectPublicKeyInfo: publicKeyInfoOf(publicKey),
    extensions: new Extensions(extensionsOf(profileOf(kind), { ...content, publicKey, issuerKey })),
  })
  const signatureValue = await signDer(AsnConvert.serialize(tbsCertificate), issuer.key)
  const certificate = new Certificate({ tbsCertificate, signatureAlgorithm: ecdsaWithSha256(), signatureValue })
  return Buffer.from(AsnConvert.serialize(certificate))
}

/** Returns octets with two random bits less than they have. The number is positive. The profiles require 63 random bits and at most 20 octets. */
export function newSerialNumber(octets = 16): string {
  const bytes = randomBytes(octets)
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0)
  return bytes.toString('hex')
}

/** The algorithm identifier has no parameters (RFC 5758, section 3.2). */
export function ecdsaWithSha256(): AlgorithmIdentifier {
  return new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' })
}

/** Signs with ECDSA and SHA-256. All certificates are signed with P-256 keys. */
export async function signDer(der: ArrayBuffer, key: BytesSigner): Promise<ArrayBuffer> {
  return arrayBuffer(derSignature('P-256', await key.sign(Buffer.from(der))))
}
