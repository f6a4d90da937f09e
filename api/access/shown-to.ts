import { allows } from '../../shared/access/permissions.ts'
import type { Role } from '../../shared/access/roles.ts'
import type { Caller } from './subjects.ts'

/** The roles that read all members of an ecosystem. Viewers and auditors see neither contacts nor whole URLs of external lists. */
export const fullReaders: readonly Role[] = ['admin', 'dts-provider', 'dts-consumer']

export function isFullReader(caller: Caller | undefined): boolean {
  return allows(caller, 'ecosystems:read')
}

/** Returns the URL of an external list as the caller may see it. Its path and its query can have secrets. */
export function listUrlFor(caller: Caller | undefined, url: string): string {
  return isFullReader(caller) ? url : new URL(url).origin
}

/** The roles that read bulk issuances with all of their rows, and change them. Rows are about people. */
export const rowReaders: readonly Role[] = ['admin', 'issuer', 'managed-issuer']

/** Whether the caller reads the content of bulk files, such as the messages about wrong rows. */
export function isRowReader(caller: Caller | undefined): boolean {
  return allows(caller, 'bulk-issuances:read')
}

/** Whether the caller reads the claims of people. */
export function isClaimsReader(caller: Caller | undefined): boolean {
  return allows(caller, 'users:read')
}

/** Whether the caller reads the secret addresses of offers, with which anyone can collect the credentials. */
export function isOfferReader(caller: Caller | undefined): boolean {
  return allows(caller, 'offers:read')
}
