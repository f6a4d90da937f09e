import { plusMs } from '../../clock.ts'
import type { CertificateSubject } from '../../formats/x509/name.ts'
import {
  type AuthorityKind,
  type CertificateKind,
  certificateProfiles,
  plusPeriod,
  type SignerKind,
} from '../../formats/x509/profiles.ts'
import { maxCommonNameLength } from './root-name.ts'

/** Maximum certificates of a kind that operators create per tenant. Expired, revoked and replaced ones do not count. */
export const maxCertificates: Record<CertificateKind, number> = {
  iaca: 3,
  'document-signer': 5,
  'status-list-signer': 3,
  'sd-jwt-signer': 5,
  'ecosystem-ca': 3,
  'vical-signer': 5,
  'rical-signer': 5,
}

/** The prefix of the event names of a kind. */
export const certificateEvents: Record<CertificateKind, string> = {
  iaca: 'MOBILE_CREDENTIAL_IACA',
  'document-signer': 'MOBILE_CREDENTIAL_DOCUMENT_SIGNER',
  'status-list-signer': 'MOBILE_CREDENTIAL_STATUS_LIST_SIGNER',
  'sd-jwt-signer': 'SD_JWT_CREDENTIAL_SIGNER',
  'ecosystem-ca': 'ECOSYSTEM_DTS_CA_CERTIFICATE',
  'vical-signer': 'ECOSYSTEM_VICAL_SIGNER_CERTIFICATE',
  'rical-signer': 'ECOSYSTEM_RICAL_SIGNER_CERTIFICATE',
}

/** Managed signers are renewed this long before they expire. */
const renewedBeforeDays: Record<SignerKind, number> = {
  'document-signer': 30,
  'status-list-signer': 60,
  'sd-jwt-signer': 30,
  'vical-signer': 60,
  'rical-signer': 60,
}
// Boundary: the keys of the table are the kinds.
export const signerKinds = Object.keys(renewedBeforeDays) as SignerKind[]

/** The signers that a managed IACA gets when it becomes active. Others are created when they are first needed. */
export const activationSignerKinds = ['document-signer', 'sd-jwt-signer'] as const satisfies SignerKind[]

/** Returns the date until which signers must be renewed now. */
export function renewalDeadline(kind: SignerKind, at: Date): Date {
  return plusPeriod(at, { days: renewedBeforeDays[kind] })
}

/** Returns when a managed signer is renewed that expires at `notAfter`. */
export function renewalTime(kind: SignerKind, notAfter: Date): Date {
  return plusPeriod(notAfter, { days: -renewedBeforeDays[kind] })
}

/** Whether signers of a kind need an active authority. Status list signers do not: they sign the status of earlier credentials. */
export function needsActiveAuthority(kind: SignerKind): boolean {
  return kind !== 'status-list-signer'
}

/** Certificates of this service are valid from this long before their creation, because clocks can differ. */
export const backdatedMs = 3_600_000

/** The API path of the authorities of a kind. */
export const authorityPaths: Record<AuthorityKind, string> = {
  iaca: '/v2/credentials/mobile/iacas',
  'ecosystem-ca': '/v1/ecosystems/certificates/ca',
}

/** Returns the path of an authority's CRL, which the certificates under it contain. */
export function crlPath(kind: AuthorityKind, id: string): string {
  return `${authorityPaths[kind]}/${id}/crl`
}

/** The field of a signer with the id of its authority. */
export const authorityFields = { iaca: 'iacaId', 'ecosystem-ca': 'caId' } as const satisfies Record<
  AuthorityKind,
  string
>

/** Returns the id of an authority in the field for events. */
export function namedAuthority(kind: AuthorityKind, id: string): { iacaId?: string; caId?: string } {
  return { [authorityFields[kind]]: id }
}

/** Rounds down to whole seconds, as in certificates (RFC 5280, section 4.1.2.5). */
export function wholeSeconds(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000)
}

/** Returns the validity of an authority in whole seconds. Without times, it begins now and lasts for the default period. */
export function authorityTimes(
  kind: AuthorityKind,
  at: Date,
  times: { notBefore?: Date | undefined; notAfter?: Date | undefined } = {},
): { notBefore: Date; notAfter: Date } {
  const notBefore = wholeSeconds(times.notBefore ?? plusMs(at, -backdatedMs))
  const notAfter = wholeSeconds(times.notAfter ?? plusPeriod(notBefore, certificateProfiles[kind].defaultValidity))
  return { notBefore, notAfter }
}

/** Returns the subject of a managed signer. Country and state are those of its authority. */
export function signerSubject(kind: SignerKind, authority: CertificateSubject, host: string): CertificateSubject {
  const { country, stateOrProvinceName } = authority
  const { name: role, hasPlaceOfAuthority, namedOnce } = certificateProfiles[kind]
  // If the signer needs an organisation and its authority has none, the common name of the authority is used.
  const organisationName =
    authority.organisationName ?? (namedOnce?.includes('organisationName') ? authority.commonName : undefined)
  const commonName = `${host} ${role}`
  return {
    country,
    ...(hasPlaceOfAuthority && stateOrProvinceName !== undefined && { stateOrProvinceName }),
    ...(organisationName !== undefined && { organisationName }),
    commonName: commonName.length > maxCommonNameLength ? role : commonName,
  }
}
