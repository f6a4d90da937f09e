import type { CredentialProfile } from '../issuance/profiles.ts'

/** Where a tenant serves a list, below its address: what is signed names it, and what is served stands there. */
export function statusListPath(kind: CredentialProfile, listId: string): string {
  if (kind === 'mobile') return `${tokenListsPath}/${listId}/token`
  return `/v2/credentials/${kind}/revocation-lists/${listId}`
}

export const tokenListsPath = '/v2/credentials/mobile/status-lists'
/** Where a tenant names its token status lists. */
export const distributionPath = `${tokenListsPath}/distribution`
/** Entries of a token status list. */
export const tokenListSize = 100_000
/** Of token status lists whose document type has no configuration. */
export const defaultLifetime = { ttlDays: 1, expiryDays: 7 }
