/** Roles of management clients and what each may do (decisions: management access). */
const permissionsByRole = {
  admin: ['*:*'],
  issuer: [
    'users:*',
    'offers:*',
    'configurations:*',
    'dids:*',
    'webhooks:*',
    'inboxes:*',
    'revocation:*',
    'certificates:*',
  ],
  'managed-issuer': [
    'users:*',
    'offers:*',
    'configurations:*',
    'dids:*',
    'webhooks:*',
    'inboxes:*',
    'revocation:*',
    'certificates:*',
  ],
  verifier: ['trusted-issuers:*', 'dids:*', 'verification:*'],
  'dts-provider': ['ecosystems:*', 'ecosystem-certificates:*', 'dids:*'],
  'dts-consumer': ['ecosystems:read'],
  auditor: ['events:read'],
  holder: ['holder-applications:*'],
} as const satisfies Record<string, readonly string[]>

export type Role = keyof typeof permissionsByRole | 'platform'

/** The roles that a tenant's clients can be given. `platform` is held by clients of the platform host alone. */
export const tenantRoles = Object.keys(permissionsByRole) as [
  keyof typeof permissionsByRole,
  ...(keyof typeof permissionsByRole)[],
]

/** `resource:action` strings that the roles add up to, sorted. */
export function permissionsOf(roles: readonly Role[]): string[] {
  const permissions = roles.flatMap((role) => (role === 'platform' ? ['tenants:*'] : permissionsByRole[role]))
  return [...new Set(permissions)].sort()
}
