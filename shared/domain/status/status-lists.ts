import { type StatusBits, type StatusListFormat, statusBitsOf } from '../../formats/token-status-list.ts'
import { type CertifiedProfile, type CredentialProfile, isCertifiedProfile } from '../issuance/profiles.ts'

/** Returns the path of a list below the address of its tenant. Signed credentials contain it. */
export function statusListPath(kind: CredentialProfile, listId: string): string {
  if (isCertifiedProfile(kind)) return `${tokenListsPath(kind)}/${listId}/token`
  return `/v2/credentials/${kind}/revocation-lists/${listId}`
}

export function tokenListsPath(kind: CertifiedProfile): string {
  return `/v2/credentials/${kind}/status-lists`
}

/** Returns the path at which a tenant publishes the URLs of its token status lists. */
export function distributionPath(kind: CertifiedProfile): string {
  return `${tokenListsPath(kind)}/distribution`
}

/** The path at which a tenant publishes the URLs of its token status lists of all kinds (Token Status List, section 9). */
export const aggregationPath = '/v2/credentials/status-lists/distribution'

/** Number of entries of a token status list. */
export const tokenListSize = 100_000
/** The lifetime of token status lists for document types without a configuration. */
export const defaultLifetime = { ttlDays: 1, expiryDays: 7 }

/** Returns the number of bits of an entry in a token status list. Two bits are enough for `suspended`. */
export function tokenListBits(kind: CredentialProfile, format: StatusListFormat): StatusBits {
  return kind === 'sd-jwt' ? 2 : statusBitsOf(format)
}
