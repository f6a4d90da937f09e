/** Maximum characters of a common name (RFC 5280, appendix A.1, ub-common-name). */
export const maxCommonNameLength = 64

/** Returns the common name of the root of a tenant, if no other is chosen. */
export function rootNameOf(tenantName: string): string {
  const role = ' root'
  return (
    [...tenantName]
      .slice(0, maxCommonNameLength - role.length)
      .join('')
      .trim() + role
  )
}
