import { hash, type KeyObject } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AuthorityKeyIdentifier,
  BasicConstraints,
  CertificatePolicies,
  CRLDistributionPoints,
  DistributionPoint,
  DistributionPointName,
  ExtendedKeyUsage,
  Extension,
  GeneralName,
  IssueAlternativeName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_certificatePolicies,
  id_ce_cRLDistributionPoints,
  id_ce_extKeyUsage,
  id_ce_issuerAltName,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  KeyIdentifier,
  KeyUsage,
  PolicyInformation,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
} from '@peculiar/asn1-x509'
import type { CertificateProfile, ExtensionName } from './profiles.ts'

export const extensionIds = {
  basicConstraints: id_ce_basicConstraints,
  subjectKeyIdentifier: id_ce_subjectKeyIdentifier,
  authorityKeyIdentifier: id_ce_authorityKeyIdentifier,
  keyUsage: id_ce_keyUsage,
  subjectAltName: id_ce_subjectAltName,
  issuerAltName: id_ce_issuerAltName,
  cRLDistributionPoints: id_ce_cRLDistributionPoints,
  extKeyUsage: id_ce_extKeyUsage,
  certificatePolicies: id_ce_certificatePolicies,
} as const satisfies Record<ExtensionName, string>

/** The values of a certificate's extensions that its profile does not define. */
export interface ExtensionValues {
  publicKey: KeyObject
  issuerKey: KeyObject
  /** The contact addresses of the subject and of its issuer. */
  subjectUrl: string
  issuerUrl: string
  crlUrl: string
}

/** The part of a profile that extensions are built from. */
export type ExtensionProfile = Pick<
  CertificateProfile,
  'extensions' | 'keyUsage' | 'pathLength' | 'purpose' | 'ownPurpose'
>

/** Builds the extensions of a profile in its order. */
export function extensionsOf(profile: ExtensionProfile, values: ExtensionValues): Extension[] {
  return profile.extensions.map((name) => extension(name, writers[name](profile, values), isCritical(name, profile)))
}

/** Returns whether an extension is critical: key usage, basicConstraints of authorities (RFC 5280, 4.2.1.9), and a profile's purpose. */
export function isCritical(name: ExtensionName, { pathLength, purpose }: ExtensionProfile): boolean {
  if (name === 'extKeyUsage') return purpose !== 'any'
  return name === 'keyUsage' || (name === 'basicConstraints' && pathLength !== undefined)
}

const writers: Record<ExtensionName, (profile: ExtensionProfile, values: ExtensionValues) => unknown> = {
  basicConstraints: ({ pathLength }) =>
    pathLength === undefined
      ? new BasicConstraints()
      : new BasicConstraints({ cA: true, pathLenConstraint: pathLength }),
  subjectKeyIdentifier: (_profile, { publicKey }) => new SubjectKeyIdentifier(keyIdentifierOf(publicKey)),
  authorityKeyIdentifier: (_profile, { issuerKey }) => authorityKeyIdentifierOf(issuerKey),
  keyUsage: ({ keyUsage }) => new KeyUsage(keyUsage),
  subjectAltName: (_profile, { subjectUrl }) => new SubjectAlternativeName([uri(subjectUrl)]),
  issuerAltName: (_profile, { issuerUrl }) => new IssueAlternativeName([uri(issuerUrl)]),
  cRLDistributionPoints: (_profile, { crlUrl }) => {
    const distributionPoint = new DistributionPointName({ fullName: [uri(crlUrl)] })
    return new CRLDistributionPoints([new DistributionPoint({ distributionPoint })])
  },
  extKeyUsage: ({ purpose, ownPurpose = purpose }) =>
    new ExtendedKeyUsage(ownPurpose === undefined ? [] : [ownPurpose]),
  certificatePolicies: () => new CertificatePolicies([new PolicyInformation({ policyIdentifier: anyPolicy })]),
}

/** The policy of a certificate that is not limited to policies (RFC 5280, section 4.2.1.4). */
const anyPolicy = '2.5.29.32.0'

export function extension(name: ExtensionName, value: unknown, critical = false): Extension {
  return new Extension({
    extnID: extensionIds[name],
    critical,
    extnValue: new OctetString(AsnConvert.serialize(value)),
  })
}

export function authorityKeyIdentifierOf(issuerKey: KeyObject): AuthorityKeyIdentifier {
  return new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(keyIdentifierOf(issuerKey)) })
}

/** Returns the SHA-1 of the bits of the key, without the algorithm (RFC 5280, section 4.2.1.2, method 1). */
export function keyIdentifierOf(publicKey: KeyObject): ArrayBuffer {
  return arrayBuffer(hash('sha1', Buffer.from(publicKeyInfoOf(publicKey).subjectPublicKey), 'buffer'))
}

export function publicKeyInfoOf(publicKey: KeyObject): SubjectPublicKeyInfo {
  return AsnConvert.parse(publicKey.export({ format: 'der', type: 'spki' }), SubjectPublicKeyInfo)
}

/** Copies bytes to a separate ArrayBuffer for the ASN.1 library. Buffers can share one. */
export function arrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

function uri(uniformResourceIdentifier: string): GeneralName {
  return new GeneralName({ uniformResourceIdentifier })
}
