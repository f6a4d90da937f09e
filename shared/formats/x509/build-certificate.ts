import { type KeyObject, randomBytes, sign } from 'node:crypto'
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
import { arrayBuffer, extensionsOf, publicKeyInfoOf } from './extensions.ts'
import { type CertificateSubject, nameOf } from './name.ts'
import { type CertificateKind, certificateProfiles } from './profiles.ts'

/** A key of P-256, with whose SHA-256 everything here is signed. */
export interface KeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
}

export interface CertificateToBuild {
  kind: CertificateKind
  subject: CertificateSubject
  /** Whose certificate it will be. */
  publicKey: KeyObject
  /** The authority that signs it; itself for a root. */
  issuer: { name: Name; keys: KeyPair }
  /** Hexadecimal, of `newSerialNumber`. */
  serialNumber: string
  /** Whole seconds. */
  notBefore: Date
  notAfter: Date
  subjectUrl: string
  issuerUrl: string
  crlUrl: string
}

/** The DER of a certificate as the profile of its kind has it (profiles.ts). */
export function buildCertificate(content: CertificateToBuild): Buffer {
  const { kind, subject, publicKey, issuer, serialNumber, notBefore, notAfter } = content
  const issuerKey = issuer.keys.publicKey
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: arrayBuffer(Buffer.from(serialNumber, 'hex')),
    signature: ecdsaWithSha256(),
    issuer: issuer.name,
    validity: new Validity({ notBefore, notAfter }),
    subject: nameOf(subject),
    subjectPublicKeyInfo: publicKeyInfoOf(publicKey),
    extensions: new Extensions(extensionsOf(certificateProfiles[kind], { ...content, publicKey, issuerKey })),
  })
  const signatureValue = signDer(AsnConvert.serialize(tbsCertificate), issuer.keys)
  const certificate = new Certificate({ tbsCertificate, signatureAlgorithm: ecdsaWithSha256(), signatureValue })
  return Buffer.from(AsnConvert.serialize(certificate))
}

/** 16 octets of which 126 bits are drawn by lot: positive and of one length (the profiles ask for 63, and at most 20 octets). */
export function newSerialNumber(): string {
  const bytes = randomBytes(16)
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0)
  return bytes.toString('hex')
}

/** RFC 5758, section 3.2: without parameters. */
export function ecdsaWithSha256(): AlgorithmIdentifier {
  return new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' })
}

export function signDer(der: ArrayBuffer, { privateKey }: KeyPair): ArrayBuffer {
  return arrayBuffer(sign('sha256', Buffer.from(der), privateKey))
}
