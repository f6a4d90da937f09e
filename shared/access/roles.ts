import type { OwnRole } from './own-roles.ts'
import type { CallerRights } from './permissions.ts'

const issuing = [
  'users:*',
  'personal-data:read',
  'offers:*',
  'configurations:*',
  'dids:*',
  'webhooks:*',
  'inboxes:*',
  'revocation:*',
  'certificates:*',
  'credentials:*',
  'stored-credentials:*',
  'bulk-issuances:*',
  'links:*',
  'authentication-providers:*',
  'interaction-hook:*',
  'claim-sources:*',
  'oauth-clients:*',
  'wallet-providers:*',
  'overview:read',
  'approvals:read',
] as const

/** Roles of management clients and their permissions (decisions: management access). */
const permissionsByRole = {
  admin: ['*:*'],
  issuer: issuing,
  'managed-issuer': issuing,
  verifier: ['trusted-issuers:*', 'dids:*', 'verification:*'],
  'dts-provider': ['ecosystems:*', 'ecosystem-certificates:*', 'dids:*', 'ecosystem-overview:read'],
  'dts-consumer': ['ecosystems:read', 'ecosystem-certificates:read', 'ecosystem-overview:read'],
  viewer: ['*:read'],
  auditor: ['events:read', 'overview:read', 'ecosystem-overview:read'],
  helpdesk: [
    'users:find',
    'offers:find',
    'credentials:read',
    'bulk-issuances:find',
    'links:write',
    'configurations:find',
  ],
  approver: ['approvals:*'],
  holder: ['holder-applications:*'],
} as const satisfies Record<string, readonly string[]>

export type Role = keyof typeof permissionsByRole | 'platform'

/** Roles for clients of a tenant. Only clients of the platform host have the role `platform`. */
export const tenantRoles = Object.keys(permissionsByRole) as [
  keyof typeof permissionsByRole,
  ...(keyof typeof permissionsByRole)[],
]

/** Whether the role is one of the service, and not one that a tenant defined. */
export function isBuiltIn(role: string): role is Role {
  return role === 'platform' || Object.hasOwn(permissionsByRole, role)
}

/** Returns the `resource:action` strings of all roles, sorted. A role that does not exist any more has none. */
export function permissionsOf(roles: readonly string[], ownRoles: readonly OwnRole[] = []): string[] {
  const permissions = roles.flatMap((role) => {
    if (isBuiltIn(role)) return role === 'platform' ? ['tenants:*'] : permissionsByRole[role]
    return ownRoles.find(({ name }) => name === role)?.permissions ?? []
  })
  return [...new Set(permissions)].sort()
}

/** Returns the roles with their permissions. */
export function rightsOf(roles: readonly string[], ownRoles: readonly OwnRole[] = []): CallerRights {
  return { roles, permissions: permissionsOf(roles, ownRoles) }
}
