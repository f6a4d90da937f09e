import { KeyUsageFlags } from '@peculiar/asn1-x509'

/** What certificates are for, each with a profile of its own. */
export type CertificateKind = 'iaca' | SignerKind
export type SignerKind = 'document-signer' | 'status-list-signer'

export type ExtensionName =
  | 'basicConstraints'
  | 'subjectKeyIdentifier'
  | 'authorityKeyIdentifier'
  | 'keyUsage'
  | 'subjectAltName'
  | 'issuerAltName'
  | 'cRLDistributionPoints'
  | 'extKeyUsage'

export interface CertificateProfile {
  /** In messages to operators. */
  article: 'a' | 'an'
  name: string
  /** Present for authorities: how many authorities may be below. */
  pathLength?: number
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

const { digitalSignature, keyCertSign, cRLSign } = KeyUsageFlags

/** Every kind of certificate that is made or taken here: what is written, and what is asked of others'. A new kind is a row. */
export const certificateProfiles: Record<CertificateKind, CertificateProfile> = {
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
}

/** When a certificate that begins then ends, or has to end at the latest. */
export function endOf(notBefore: Date, life: CertificateProfile['most']): Date {
  const end = new Date(notBefore)
  if ('years' in life) end.setUTCFullYear(end.getUTCFullYear() + life.years)
  else end.setUTCDate(end.getUTCDate() + life.days)
  return end
}
