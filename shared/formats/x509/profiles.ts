import { KeyUsageFlags } from '@peculiar/asn1-x509'
import type { CertificateSubject } from './name.ts'

/** What certificates are for, each with a profile of its own. */
export type CertificateKind = AuthorityKind | SignerKind
export type AuthorityKind = 'iaca' | 'ecosystem-ca'
export type SignerKind = 'document-signer' | 'status-list-signer' | 'vical-signer' | 'rical-signer'

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

export interface CertificateProfile {
  /** In messages to operators. */
  article: 'a' | 'an'
  name: string
  /** Signers are of the country of their authority, and of its state or province if it has one. */
  hasPlaceOfAuthority?: boolean
  /** What the subject has exactly once, besides its country. */
  namedOnce?: readonly (keyof CertificateSubject)[]
  /** Present for authorities: how many authorities may be below ours. */
  pathLength?: number
  /** Below others' authorities of the kind there may be more. */
  takesAnyPathLength?: boolean
  /** Exactly these bits; the extension is critical. */
  keyUsage: KeyUsageFlags
  /** The one purpose that is named, critically; `any` where others may name some, not critically; absent where nobody may. */
  purpose?: string
  /** What ours have, in this order. */
  extensions: readonly ExtensionName[]
  /** What others' have to have, in any order. */
  required: readonly ExtensionName[]
  /** The longest life. Years are calendar years. */
  most: { years: number } | { days: number }
  /** The life of ours, unless an operator says otherwise. */
  usual: { years: number } | { days: number }
}

const { digitalSignature, nonRepudiation, keyCertSign, cRLSign } = KeyUsageFlags

const ofListSigners = [
  'subjectKeyIdentifier',
  'authorityKeyIdentifier',
  'keyUsage',
  'cRLDistributionPoints',
] as const satisfies ExtensionName[]

interface SignerProfile extends CertificateProfile {
  /** Who certifies it. */
  authority: AuthorityKind
}

/** Every kind of certificate that is made or taken here: what is written, and what is asked of others'. A new kind is a row. */
export const certificateProfiles: Record<AuthorityKind, CertificateProfile> & Record<SignerKind, SignerProfile> = {
  // ISO/IEC 18013-5, table B.1
  iaca: {
    article: 'an',
    name: 'IACA',
    pathLength: 0,
    keyUsage: keyCertSign | cRLSign,
    extensions: ['basicConstraints', 'keyUsage', 'subjectKeyIdentifier', 'issuerAltName', 'cRLDistributionPoints'],
    required: ['basicConstraints', 'keyUsage', 'subjectKeyIdentifier', 'issuerAltName', 'cRLDistributionPoints'],
    most: { years: 20 },
    usual: { years: 10 },
  },
  // ISO/IEC 18013-5, table B.3
  'document-signer': {
    article: 'a',
    name: 'document signer',
    authority: 'iaca',
    hasPlaceOfAuthority: true,
    keyUsage: digitalSignature,
    purpose: '1.0.18013.5.1.2',
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
    most: { days: 457 },
    usual: { days: 456 },
  },
  // ISO/IEC 18013-5, second edition, table B.9; its extended key usage has no number yet, and none is critical but the key usage.
  'status-list-signer': {
    article: 'a',
    name: 'status list signer',
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
    most: { days: 1187 },
    usual: { days: 1186 },
  },
  // The root of an ecosystem's lists. No table has it; ours is as those of the lists that are published today.
  'ecosystem-ca': {
    article: 'an',
    name: 'ecosystem CA',
    pathLength: 0,
    takesAnyPathLength: true,
    keyUsage: keyCertSign | cRLSign,
    extensions: ['basicConstraints', 'keyUsage', 'subjectKeyIdentifier', 'cRLDistributionPoints'],
    required: ['basicConstraints', 'keyUsage', 'subjectKeyIdentifier'],
    most: { years: 20 },
    usual: { years: 20 },
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
    most: { days: 1187 },
    usual: { days: 1186 },
  },
  // ISO/IEC 18013-5, second edition, table F.1. Nobody has named a purpose for it: a key that is for another one is not for this.
  'rical-signer': {
    article: 'a',
    name: 'RICAL signer',
    authority: 'ecosystem-ca',
    namedOnce: ['organisationName', 'commonName'],
    keyUsage: nonRepudiation,
    extensions: [...ofListSigners, 'certificatePolicies'],
    required: [...ofListSigners, 'certificatePolicies'],
    most: { days: 1187 },
    usual: { days: 1186 },
  },
}

/** Who certifies a kind: authorities themselves. */
export function certifierOf(kind: CertificateKind): AuthorityKind {
  return isSignerKind(kind) ? certificateProfiles[kind].authority : kind
}

function isSignerKind(kind: CertificateKind): kind is SignerKind {
  return 'authority' in certificateProfiles[kind]
}

/** When a certificate that begins then ends, or has to end at the latest. */
export function latestEnd(notBefore: Date, life: CertificateProfile['most']): Date {
  const end = new Date(notBefore)
  if ('years' in life) end.setUTCFullYear(end.getUTCFullYear() + life.years)
  else end.setUTCDate(end.getUTCDate() + life.days)
  return end
}
