import type { CredentialProfile } from './profiles.ts'

/** Where a tenant serves a list, below its address: what is signed names it, and what is served stands there. */
export function statusListPath(kind: CredentialProfile, listId: string): string {
  return `/v2/credentials/${kind}/revocation-lists/${listId}`
}
