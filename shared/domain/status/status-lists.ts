import type { CredentialProfile } from '../issuance/profiles.ts'

/** Returns the path of a list below the address of its tenant. Signed credentials contain it. */
export function statusListPath(kind: CredentialProfile, listId: string): string {
  if (kind === 'mobile') return `${tokenListsPath}/${listId}/token`
  return `/v2/credentials/${kind}/revocation-lists/${listId}`
}

export const tokenListsPath = '/v2/credentials/mobile/status-lists'
/** The path at which a tenant publishes the URLs of its token status lists. */
export const distributionPath = `${tokenListsPath}/distribution`
/** Number of entries of a token status list. */
export const tokenListSize = 100_000
/** The lifetime of token status lists for document types without a configuration. */
export const defaultLifetime = { ttlDays: 1, expiryDays: 7 }
