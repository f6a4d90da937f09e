import { KeyUsageFlags } from '@peculiar/asn1-x509'
import type { CertificateSubject } from './name.ts'

/** The kinds of certificates. Each has a profile. */
export type CertificateKind = AuthorityKind | SignerKind
export type AuthorityKind = 'iaca' | 'ecosystem-ca'
/** The kinds of certificates that a key ceremony makes. The service stores no link certificates. */
export type IssuedKind = CertificateKind | 'iaca-link'
export type SignerKind = 'document-signer' | 'status-list-signer' | 'sd-jwt-signer' | 'vical-signer' | 'rical-signer'

export type ExtensionName =
  | 'basicConstraints'
  | 'subjectKeyIdentifier'
  | 'authorityKeyIdentifier'
  | 'keyUsage'
  | 'subjectAltName'
  | 'issuerAltName'
  | 'cRLDistributionPoints'
  | 'extKeyUsage'
  | 'certificatePolicies'

/** Calendar years or days. */
export type Period = { years: number } | { days: number }

export interface CertificateProfile {
  /** The article of the name, for messages to operators. */
  article: 'a' | 'an'
  name: string
  /** Whether signers must have the country of their authority, and its state or province if it has one. */
  hasPlaceOfAuthority?: boolean
  /** Attributes that the subject has exactly once, besides its country. */
  namedOnce?: readonly (keyof CertificateSubject)[]
  /** The maximum number of authorities below a managed authority. */
  pathLength?: number
  /** Whether an unmanaged authority can have another path length. */
  takesAnyPathLength?: boolean
  /** The exact key usage. The extension is critical. */
  keyUsage: KeyUsageFlags
  /** The only extended key usage, which is critical. `any`: optional and not critical. Absent: the extension is not allowed. */
  purpose?: string
  /** The extended key usage of certificates that this service issues under the purpose `any`, if they have one. */
  ownPurpose?: string
  /** The extensions of certificates that this service issues, in this order. */
  extensions: readonly ExtensionName[]
  /** The required extensions of external certificates, in any order. */
  required: readonly ExtensionName[]
  /** The maximum validity. */
  maxValidity: Period
  /** The default validity of certificates that this service issues. */
  defaultValidity: Period
}

const { digitalSignature, nonRepudiation, keyCertSign, cRLSign } = KeyUsageFlags

/** Document signers (ISO/IEC 18013-5, table B.3). */
const documentSigner = '1.0.18013.5.1.2'
/** Signers of JWS (ISO/IEC 18013-5, first edition, annex B). */
const jwsSigner = '1.0.18013.5.1.3'

/**
 * The extended key usages with which a certificate can sign SD-JWT VCs. No standard names one for them alone: issuers use that of document
 * signers, of signers of JWS, or of document signers of any kind of mobile document (ISO/IEC TS 23220-4).
 */
export const sdJwtPurposes: readonly string[] = [documentSigner, jwsSigner, '1.0.23220.4.1.2']

const ofListSigners = [
  'subjectKeyIdentifier',
  'authorityKeyIdentifier',
  'keyUsage',
  'cRLDistributionPoints',
] as const satisfies ExtensionName[]

/** The profile of signers below an IACA whose purpose no standard names with an OID. */
const ofUnnamedPurpose = {
  authority: 'iaca',
  hasPlaceOfAuthority: true,
  keyUsage: digitalSignature,
  purpose: 'any',
  extensions: [
    'basicConstraints',
    'subjectKeyIdentifier',
    'authorityKeyIdentifier',
    'keyUsage',
    'subjectAltName',
    'cRLDistributionPoints',
  ],
  required: ['subjectKeyIdentifier', 'authorityKeyIdentifier', 'keyUsage'],
} as const satisfies Partial<SignerProfile>

interface SignerProfile extends CertificateProfile {
  /** The kind of authority that certifies it. */
  authority: AuthorityKind
}

/** The profiles of all kinds: the content of certificates that this service issues, and the rules for external ones. A new kind is a row. */
export const certificateProfiles: Record<AuthorityKind, CertificateProfile> & Record<SignerKind, SignerProfile> = {
  // ISO/IEC 18013-5, table B.1
  iaca: {
    article: 'an',
    name: 'IACA',
    pathLength: 0,
    keyUsage: keyCertSign | cRLSign,
    extensions: ['basicConstraints', 'keyUsage', 'subjectKeyIdentifier', 'issuerAltName', 'cRLDistributionPoints'],
    required: ['basicConstraints', 'keyUsage', 'subjectKeyIdentifier', 'issuerAltName', 'cRLDistributionPoints'],
    maxValidity: { years: 20 },
    defaultValidity: { years: 10 },
  },
  // ISO/IEC 18013-5, table B.3
  'document-signer': {
    article: 'a',
    name: 'document signer',
    authority: 'iaca',
    hasPlaceOfAuthority: true,
    keyUsage: digitalSignature,
    purpose: documentSigner,
    extensions: [
      'basicConstraints',
      'subjectKeyIdentifier',
      'authorityKeyIdentifier',
      'keyUsage',
      'subjectAltName',
      'issuerAltName',
      'cRLDistributionPoints',
      'extKeyUsage',
    ],
    required: [
      'subjectKeyIdentifier',
      'authorityKeyIdentifier',
      'keyUsage',
      'issuerAltName',
      'cRLDistributionPoints',
      'extKeyUsage',
    ],
    maxValidity: { days: 457 },
    defaultValidity: { days: 456 },
  },
  // ISO/IEC 18013-5, second edition, table B.9. Its extended key usage has no OID yet. Only the key usage is critical.
  'status-list-signer': {
    article: 'a',
    name: 'status list signer',
    ...ofUnnamedPurpose,
    maxValidity: { days: 1187 },
    defaultValidity: { days: 1186 },
  },
  // HAIP 1.0, section 6.1.1: the certificate is not self-signed. Nothing else is required. The validity is that of a document signer. The
  // extended key usage separates it from the status list signer of the same authority.
  'sd-jwt-signer': {
    article: 'an',
    name: 'SD-JWT signer',
    ...ofUnnamedPurpose,
    ownPurpose: jwsSigner,
    extensions: [...ofUnnamedPurpose.extensions, 'extKeyUsage'],
    maxValidity: { days: 457 },
    defaultValidity: { days: 456 },
  },
  // The root of the lists of an ecosystem. No standard defines it. The profile is that of roots of published lists.
  'ecosystem-ca': {
    article: 'an',
    name: 'ecosystem CA',
    pathLength: 0,
    takesAnyPathLength: true,
    keyUsage: keyCertSign | cRLSign,
    extensions: ['basicConstraints', 'keyUsage', 'subjectKeyIdentifier', 'cRLDistributionPoints'],
    required: ['basicConstraints', 'keyUsage', 'subjectKeyIdentifier'],
    maxValidity: { years: 20 },
    defaultValidity: { years: 20 },
  },
  // ISO/IEC 18013-5, table C.1
  'vical-signer': {
    article: 'a',
    name: 'VICAL signer',
    authority: 'ecosystem-ca',
    keyUsage: nonRepudiation,
    purpose: '1.0.18013.5.1.8',
    extensions: [...ofListSigners, 'extKeyUsage'],
    required: [...ofListSigners, 'extKeyUsage'],
    maxValidity: { days: 1187 },
    defaultValidity: { days: 1186 },
  },
  // ISO/IEC 18013-5, second edition, table F.1. It has no extended key usage: no OID is defined for it.
  'rical-signer': {
    article: 'a',
    name: 'RICAL signer',
    authority: 'ecosystem-ca',
    namedOnce: ['organisationName', 'commonName'],
    keyUsage: nonRepudiation,
    extensions: [...ofListSigners, 'certificatePolicies'],
    required: [...ofListSigners, 'certificatePolicies'],
    maxValidity: { days: 1187 },
    defaultValidity: { days: 1186 },
  },
}

const ofLinks: readonly ExtensionName[] = [
  'basicConstraints',
  'keyUsage',
  'subjectKeyIdentifier',
  'authorityKeyIdentifier',
  'issuerAltName',
  'cRLDistributionPoints',
  'extKeyUsage',
]

/** The previous IACA certifies the next one (ISO/IEC 18013-5, annex B): a verifier that trusts the previous root accepts the next key. */
const linkCertificate: CertificateProfile = {
  article: 'an',
  name: 'IACA link certificate',
  hasPlaceOfAuthority: true,
  pathLength: 0,
  keyUsage: keyCertSign | cRLSign,
  purpose: '1.0.18013.5.1.4',
  extensions: ofLinks,
  required: ofLinks,
  maxValidity: { years: 20 },
  defaultValidity: { years: 10 },
}

export function profileOf(kind: IssuedKind): CertificateProfile {
  return kind === 'iaca-link' ? linkCertificate : certificateProfiles[kind]
}

/** Returns the kind of authority that certifies a kind. Authorities certify themselves. */
export function certifierOf(kind: IssuedKind): AuthorityKind {
  if (kind === 'iaca-link') return 'iaca'
  return isSignerKind(kind) ? certificateProfiles[kind].authority : kind
}

function isSignerKind(kind: CertificateKind): kind is SignerKind {
  return 'authority' in certificateProfiles[kind]
}

/** Adds a period to a time, by the UTC calendar. */
export function plusPeriod(at: Date, period: Period): Date {
  const end = new Date(at)
  if ('years' in period) end.setUTCFullYear(end.getUTCFullYear() + period.years)
  else end.setUTCDate(end.getUTCDate() + period.days)
  return end
}
