import type { CertificateSubject } from './formats/x509/name.ts'
import { type CertificateKind, certificateProfiles, endOf, type SignerKind } from './formats/x509/profiles.ts'

/** How many a tenant may have of a kind; those that are over, revoked or replaced do not count. */
export const mostCertificates: Record<CertificateKind, number> = {
  iaca: 3,
  'document-signer': 5,
  'status-list-signer': 3,
}

/** The prefix of the events of a kind. */
export const certificateEvents: Record<CertificateKind, string> = {
  iaca: 'MOBILE_CREDENTIAL_IACA',
  'document-signer': 'MOBILE_CREDENTIAL_DOCUMENT_SIGNER',
  'status-list-signer': 'MOBILE_CREDENTIAL_STATUS_LIST_SIGNER',
}

/** Ours are made anew so long before they end. */
const renewedBeforeDays: Record<SignerKind, number> = { 'document-signer': 30, 'status-list-signer': 60 }
export const signerKinds: readonly SignerKind[] = ['document-signer', 'status-list-signer']

/** A signer that ends by then is to be followed by another. */
export function renewalOf(kind: SignerKind, at: Date): Date {
  return endOf(at, { days: renewedBeforeDays[kind] })
}

/** Ours begin so long before they are made: clocks may be apart by as much. */
export const backdatedMs = 3_600_000

/** Where the CRL of an IACA is served, which its certificates say. */
export function crlPath(iacaId: string): string {
  return `/v2/credentials/mobile/iacas/${iacaId}/crl`
}

/** As certificates have times (RFC 5280, section 4.1.2.5). */
export function wholeSeconds(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000)
}

/** Of a common name in characters (RFC 5280, appendix A.1, ub-common-name). */
export const longestCommonName = 64

/** What a signer of ours is called: its place is its authority's. */
export function signerSubject(kind: SignerKind, authority: CertificateSubject, host: string): CertificateSubject {
  const { country, stateOrProvinceName, organisationName } = authority
  const role = certificateProfiles[kind].name
  const commonName = `${host} ${role}`
  return {
    country,
    ...(stateOrProvinceName !== undefined && { stateOrProvinceName }),
    ...(organisationName !== undefined && { organisationName }),
    commonName: commonName.length > longestCommonName ? role : commonName,
  }
}
