import type { X509Certificate } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  CertificatePolicies,
  CRLDistributionPoints,
  ExtendedKeyUsage,
  type Extension,
  IssueAlternativeName,
  KeyUsage,
  type Name,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  Version,
} from '@peculiar/asn1-x509'
import { type CertificateContent, contentOf } from '../certificate.ts'
import { FormatError } from '../format-error.ts'
import { extensionIds } from './extensions.ts'
import type { ExtensionName } from './profiles.ts'

/** The parts of a certificate that profiles check, besides those that chains check. */
export interface ReadCertificate extends CertificateContent {
  certificate: X509Certificate
  isVersion3: boolean
  /** The octets of the integer. */
  serialNumber: Buffer
  /** The algorithm in the signed part. `signatureAlgorithm` is the one outside of it. */
  innerAlgorithm: string
  subject: Name
  issuer: Name
  /** The bits of the key, without the algorithm. */
  keyBits: Buffer
  /** Whether the key names its curve, as RFC 5480, section 2.1.1, requires. OpenSSL also names a curve with explicit parameters. */
  isCurveNamed: boolean
  subjectKeyIdentifier: Buffer | undefined
  authorityKeyIdentifier: Buffer | undefined
  issuerAltName: IssueAlternativeName | undefined
  distributionPoints: CRLDistributionPoints | undefined
  /** The extensions of profiles whose content is not in DER. */
  extensionsNotInDer: readonly ExtensionName[]
}

/** Reads a certificate. Throws `invalid_certificate` if RFC 5280 is violated. */
export function readCertificate(certificate: X509Certificate): ReadCertificate {
  const content = contentOf(certificate)
  try {
    const parsed = AsnConvert.parse(certificate.raw, Certificate)
    const { tbsCertificate: tbs } = parsed
    // Another encoding than DER has the same meaning, but is another certificate.
    if (!isSame(parsed, certificate.raw)) throw new Error('not in DER')
    const encoded = (id: string) => tbs.extensions?.find(({ extnID }) => extnID === id)?.extnValue.buffer
    const [ski, aki, ian, points] = [
      encoded(extensionIds.subjectKeyIdentifier),
      encoded(extensionIds.authorityKeyIdentifier),
      encoded(extensionIds.issuerAltName),
      encoded(extensionIds.cRLDistributionPoints),
    ]
    const { algorithm, subjectPublicKey } = tbs.subjectPublicKeyInfo
    const authority = aki && AsnConvert.parse(aki, AuthorityKeyIdentifier).keyIdentifier
    return {
      ...content,
      certificate,
      isVersion3: tbs.version === Version.v3,
      serialNumber: Buffer.from(tbs.serialNumber),
      innerAlgorithm: tbs.signature.algorithm,
      subject: tbs.subject,
      issuer: tbs.issuer,
      keyBits: Buffer.from(subjectPublicKey),
      isCurveNamed: new Uint8Array(algorithm.parameters ?? new ArrayBuffer())[0] === objectIdentifier,
      subjectKeyIdentifier: ski && Buffer.from(AsnConvert.parse(ski, SubjectKeyIdentifier).buffer),
      authorityKeyIdentifier: authority && Buffer.from(authority.buffer),
      issuerAltName: ian && AsnConvert.parse(ian, IssueAlternativeName),
      distributionPoints: points && AsnConvert.parse(points, CRLDistributionPoints),
      extensionsNotInDer: notInDer(tbs.extensions ?? []),
    }
  } catch (cause) {
    throw new FormatError('invalid_certificate', 'a certificate is not in DER, or an extension cannot be read', {
      cause,
    })
  }
}

/** The tag of an OID. */
const objectIdentifier = 0x06

const schemas: Record<ExtensionName, new () => unknown> = {
  basicConstraints: BasicConstraints,
  subjectKeyIdentifier: SubjectKeyIdentifier,
  authorityKeyIdentifier: AuthorityKeyIdentifier,
  keyUsage: KeyUsage,
  subjectAltName: SubjectAlternativeName,
  issuerAltName: IssueAlternativeName,
  cRLDistributionPoints: CRLDistributionPoints,
  extKeyUsage: ExtendedKeyUsage,
  certificatePolicies: CertificatePolicies,
}

/** Checks the DER inside of extensions, because the certificate contains them as opaque octets. */
function notInDer(extensions: readonly Extension[]): ExtensionName[] {
  // Boundary: the keys of the table are the extension names.
  const names = Object.keys(schemas) as ExtensionName[]
  return names.filter((name) => {
    const held = extensions.find(({ extnID }) => extnID === extensionIds[name])?.extnValue.buffer
    return held && !isSame(AsnConvert.parse(held, schemas[name]), Buffer.from(held))
  })
}

function isSame(parsed: unknown, der: Buffer): boolean {
  return Buffer.from(AsnConvert.serialize(parsed)).equals(der)
}
