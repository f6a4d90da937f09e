import type { CertificateSubject } from '../../formats/x509/name.ts'
import {
  type AuthorityKind,
  type CertificateKind,
  certificateProfiles,
  latestEnd,
  type SignerKind,
} from '../../formats/x509/profiles.ts'

/** How many a tenant may have of a kind; those that are over, revoked or replaced do not count. */
export const mostCertificates: Record<CertificateKind, number> = {
  iaca: 3,
  'document-signer': 5,
  'status-list-signer': 3,
  'ecosystem-ca': 3,
  'vical-signer': 5,
  'rical-signer': 5,
}

/** The prefix of the events of a kind. */
export const certificateEvents: Record<CertificateKind, string> = {
  iaca: 'MOBILE_CREDENTIAL_IACA',
  'document-signer': 'MOBILE_CREDENTIAL_DOCUMENT_SIGNER',
  'status-list-signer': 'MOBILE_CREDENTIAL_STATUS_LIST_SIGNER',
  'ecosystem-ca': 'ECOSYSTEM_DTS_CA_CERTIFICATE',
  'vical-signer': 'ECOSYSTEM_VICAL_SIGNER_CERTIFICATE',
  'rical-signer': 'ECOSYSTEM_RICAL_SIGNER_CERTIFICATE',
}

/** Ours are made anew so long before they end. */
const renewedBeforeDays: Record<SignerKind, number> = {
  'document-signer': 30,
  'status-list-signer': 60,
  'vical-signer': 60,
  'rical-signer': 60,
}
// Boundary: the keys of the table are the kinds.
export const signerKinds = Object.keys(renewedBeforeDays) as SignerKind[]

/** A signer that ends by then is to be followed by another. */
export function renewalDeadline(kind: SignerKind, at: Date): Date {
  return latestEnd(at, { days: renewedBeforeDays[kind] })
}

/** Whether signers of a kind sign under active authorities alone. Status lists go on: they are about what was signed before. */
export function needsActiveAuthority(kind: SignerKind): boolean {
  return kind !== 'status-list-signer'
}

/** Ours begin so long before they are made: clocks may be apart by as much. */
export const backdatedMs = 3_600_000

/** Where authorities of a kind are. */
export const authorityPaths: Record<AuthorityKind, string> = {
  iaca: '/v2/credentials/mobile/iacas',
  'ecosystem-ca': '/v1/ecosystems/certificates/ca',
}

/** Where the CRL of an authority is served, which the certificates under it say. */
export function crlPath(kind: AuthorityKind, id: string): string {
  return `${authorityPaths[kind]}/${id}/crl`
}

/** The field in which a signer names an authority of a kind. */
export const authorityFields = { iaca: 'iacaId', 'ecosystem-ca': 'caId' } as const satisfies Record<
  AuthorityKind,
  string
>

/** An authority as events name it. */
export function namedAuthority(kind: AuthorityKind, id: string): { iacaId?: string; caId?: string } {
  return { [authorityFields[kind]]: id }
}

/** As certificates have times (RFC 5280, section 4.1.2.5). */
export function wholeSeconds(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000)
}

/** Of a common name in characters (RFC 5280, appendix A.1, ub-common-name). */
export const longestCommonName = 64

/** What a signer of ours is called: its place is its authority's. */
export function signerSubject(kind: SignerKind, authority: CertificateSubject, host: string): CertificateSubject {
  const { country, stateOrProvinceName } = authority
  const { name: role, hasPlaceOfAuthority, namedOnce } = certificateProfiles[kind]
  // Who needs an organisation and whose authority names none is of the authority itself.
  const organisationName =
    authority.organisationName ?? (namedOnce?.includes('organisationName') ? authority.commonName : undefined)
  const commonName = `${host} ${role}`
  return {
    country,
    ...(hasPlaceOfAuthority && stateOrProvinceName !== undefined && { stateOrProvinceName }),
    ...(organisationName !== undefined && { organisationName }),
    commonName: commonName.length > longestCommonName ? role : commonName,
  }
}
