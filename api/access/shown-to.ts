import type { Role } from '../../shared/access/roles.ts'

/** The roles that read all members of an ecosystem. Viewers and auditors see neither contacts nor whole URLs of external lists. */
export const fullReaders: readonly Role[] = ['admin', 'dts-provider', 'dts-consumer']

export function isFullReader(roles: readonly Role[]): boolean {
  return roles.some((role) => fullReaders.includes(role))
}

/** Returns the URL of an external list as the roles may see it. Its path and its query can have secrets. */
export function listUrlFor(roles: readonly Role[], url: string): string {
  return isFullReader(roles) ? url : new URL(url).origin
}

/** The roles that read and change bulk issuances with their rows. Viewers see no rows, because rows are about people. */
export const rowReaders: readonly Role[] = ['admin', 'issuer', 'managed-issuer']

export function isRowReader(roles: readonly Role[]): boolean {
  return roles.some((role) => rowReaders.includes(role))
}
