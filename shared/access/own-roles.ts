import { nearestWord } from '../nearest-word.ts'

/** A role that a tenant defined, as a list of permissions. */
export interface OwnRole {
  name: string
  description?: string | undefined
  permissions: string[]
}

/**
 * The actions of each resource that an own role can have. Operations that give rights, such as the creation of a client, are not among
 * them, so that a client can only grant what it has.
 */
const actionsByResource: Readonly<Record<string, readonly string[]>> = {
  users: ['find', 'read', 'write'],
  offers: ['find', 'read', 'write'],
  credentials: ['read', 'write'],
  'stored-credentials': ['read'],
  'personal-data': ['read'],
  'bulk-issuances': ['find', 'read', 'write'],
  links: ['write'],
  configurations: ['find', 'read', 'write'],
  revocation: ['read', 'write'],
  certificates: ['read', 'write'],
  dids: ['read', 'write'],
  keys: ['read', 'write'],
  webhooks: ['read', 'write'],
  inboxes: ['read', 'write'],
  'authentication-providers': ['read', 'write'],
  'interaction-hook': ['read', 'write'],
  'claim-sources': ['read', 'write'],
  'oauth-clients': ['read', 'write'],
  'wallet-providers': ['read', 'write'],
  'trusted-issuers': ['read', 'write'],
  verification: ['read', 'write'],
  ecosystems: ['read', 'write'],
  'ecosystem-certificates': ['read', 'write'],
  'holder-applications': ['read', 'write'],
  approvals: ['read', 'write'],
  overview: ['read'],
  'ecosystem-overview': ['read'],
  events: ['read'],
  erasures: ['read'],
  settings: ['read'],
  clients: ['read'],
}

/** The resources on which own roles can have all actions, as `resource:*`. */
const withAll = (actions: readonly string[]) => actions.includes('write')

/** The permissions that an own role can have. */
export const grantablePermissions: readonly string[] = Object.entries(actionsByResource).flatMap(
  ([resource, actions]) => [...actions, ...(withAll(actions) ? ['*'] : [])].map((action) => `${resource}:${action}`),
)

/** Returns what is wrong with a permission of an own role, and the permission that is probably meant. */
export function findPermissionFault(permission: string): string | undefined {
  if (grantablePermissions.includes(permission)) return undefined
  const nearest = nearestWord(permission, grantablePermissions)
  const advice = nearest === undefined ? '' : `. Did you mean ${nearest}?`
  const [resource = ''] = permission.split(':')
  const ofResource = grantablePermissions.filter((each) => each.startsWith(`${resource}:`))
  if (ofResource.length > 0) return `Must be one of ${ofResource.join(', ')}${advice}`
  return `Must be a permission of one of the resources ${Object.keys(actionsByResource).join(', ')}${advice}`
}
