/** Roles of management clients and their permissions (decisions: management access). */
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
  viewer: ['*:read'],
  auditor: ['events:read'],
  holder: ['holder-applications:*'],
} as const satisfies Record<string, readonly string[]>

export type Role = keyof typeof permissionsByRole | 'platform'

/** Roles for clients of a tenant. Only clients of the platform host have the role `platform`. */
export const tenantRoles = Object.keys(permissionsByRole) as [
  keyof typeof permissionsByRole,
  ...(keyof typeof permissionsByRole)[],
]

/** Returns the `resource:action` strings of all roles, sorted. */
export function permissionsOf(roles: readonly Role[]): string[] {
  const permissions = roles.flatMap((role) => (role === 'platform' ? ['tenants:*'] : permissionsByRole[role]))
  return [...new Set(permissions)].sort()
}
