/**
 * The actions of permissions. `find` sees an object without claims of people and without secret addresses, and `read` sees all of it.
 * `write` changes it.
 */
export type Action = 'find' | 'read' | 'write'

/** A right to call operations, as `resource:action`. */
export type Permission = `${string}:${Action}`

/** The resources of operations, by the group of the operation in the reference. */
const resourceByTag: Readonly<Record<string, string>> = {
  Console: 'settings',
  Tenants: 'settings',
  Clients: 'clients',
  Keys: 'keys',
  DIDs: 'dids',
  'Authentication providers': 'authentication-providers',
  'Authorization servers': 'authentication-providers',
  'Interaction hook': 'interaction-hook',
  'Claim sources': 'claim-sources',
  IACAs: 'certificates',
  'Document Signers': 'certificates',
  'Status List Signers': 'certificates',
  'SD-JWT Signers': 'certificates',
  Compact: 'configurations',
  'Compact semantic': 'configurations',
  'Web semantic': 'configurations',
  Mobile: 'configurations',
  'SD-JWT VC': 'configurations',
  Users: 'users',
  'OAuth clients': 'oauth-clients',
  'Wallet providers': 'wallet-providers',
  Views: 'configurations',
  'Access certificates': 'certificates',
  Offers: 'offers',
  'Bulk issuance': 'bulk-issuances',
  Discovery: 'configurations',
  Revocation: 'revocation',
  Webhooks: 'webhooks',
  'Trusted issuers': 'trusted-issuers',
  Verification: 'verification',
  Presentations: 'verification',
  Verifier: 'verification',
  Messaging: 'inboxes',
  'Ecosystem certificates': 'ecosystem-certificates',
  Ecosystems: 'ecosystems',
  'Holder applications': 'holder-applications',
  'Configuration files': 'configuration-files',
  Approvals: 'approvals',
  Overview: 'overview',
  Analytics: 'events',
  Audit: 'events',
}

const both: readonly Permission[] = ['overview:read', 'ecosystem-overview:read']

/** The operations whose permission does not follow from their group and their method. One of several permissions is enough. */
const exceptions: Readonly<Record<string, Permission | readonly Permission[]>> = {
  retrieveUsers: 'users:find',
  searchUsers: 'users:find',
  retrieveUser: 'users:find',
  exportUser: 'personal-data:read',
  retrieveUserCredentials: 'credentials:read',
  retrieveIssuedCredentials: 'credentials:read',
  retrieveIssuedCredential: 'credentials:read',
  retrieveErasures: 'erasures:read',
  retrieveErasure: 'erasures:read',
  retrieveOffers: 'offers:find',
  retrieveOffer: 'offers:find',
  retrieveOfferTimeline: 'offers:find',
  retrieveBulkIssuances: 'bulk-issuances:find',
  retrieveBulkIssuance: 'bulk-issuances:find',
  retrieveBulkRows: 'bulk-issuances:find',
  renewBulkLink: 'links:write',
  revokeBulkLink: 'links:write',
  renewExpiredBulkLinks: 'links:write',
  retrieveConfigurations: 'configurations:find',
  signCompact: 'credentials:write',
  signCompactSemantic: 'credentials:write',
  signWebSemantic: 'credentials:write',
  signSdJwt: 'credentials:write',
  retrieveWebSemanticCredentials: 'stored-credentials:read',
  retrieveWebSemanticCredential: 'stored-credentials:read',
  retrieveSdJwtCredentials: 'stored-credentials:read',
  retrieveSdJwtCredential: 'stored-credentials:read',
  setCompactRevocationStatus: 'revocation:write',
  setCompactSemanticRevocationStatus: 'revocation:write',
  setWebSemanticRevocationStatus: 'revocation:write',
  createWebSemanticRevocationMessage: 'revocation:write',
  setMobileStatus: 'revocation:write',
  setSdJwtStatus: 'revocation:write',
  deleteCompactCredential: 'revocation:write',
  deleteCompactSemanticCredential: 'revocation:write',
  deleteWebSemanticCredential: 'revocation:write',
  deleteMobileCredential: 'revocation:write',
  deleteSdJwtCredential: 'revocation:write',
  retrieveCompactRevocationStatus: 'revocation:read',
  retrieveCompactSemanticRevocationStatus: 'revocation:read',
  retrieveWebSemanticRevocationStatus: 'revocation:read',
  retrieveMobileStatus: 'revocation:read',
  retrieveSdJwtStatus: 'revocation:read',
  retrieveTroubledWebhooks: 'webhooks:read',
  retrieveEndingCertificates: both,
  retrieveValidity: both,
  retrieveLateJobs: both,
  retrieveCounts: both,
  retrieveTroubledPublications: 'ecosystem-overview:read',
  retrieveFailingIntegrations: 'ecosystem-overview:read',
}

/** The operations for each role of a tenant. Their answers contain only what the caller can read with other operations. */
const forEachRole: ReadonlySet<string> = new Set([
  ...['retrieveConsoleSession', 'retrieveConsoleSessions', 'endConsoleSession', 'endConsoleSessions'],
  ...['retrieveManagedObjects', 'search'],
])

interface Operation {
  operation: string
  tag: string
  method: string
}

/** Returns the permissions of which a caller needs one for the operation. Returns an empty list if each role can call it. */
export function permissionsFor({ operation, tag, method }: Operation): readonly Permission[] {
  if (forEachRole.has(operation)) return []
  const exception = exceptions[operation]
  if (exception !== undefined) return typeof exception === 'string' ? [exception] : exception
  return [`${resourceByTag[tag] ?? 'tenants'}:${method === 'GET' ? 'read' : 'write'}`]
}

/** Who calls: the names of roles, and the permissions of these roles. */
export interface CallerRights {
  roles: readonly string[]
  permissions: readonly string[]
}

/**
 * Returns whether the permissions contain this one. `*` is any action, and `*:*` is everything. The permission `*:read` of viewers
 * contains nothing here: viewers call the operations of `viewerOperations`.
 */
export function allows(caller: Pick<CallerRights, 'permissions'> | undefined, permission: Permission): boolean {
  if (!caller) return false
  const [resource, action] = permission.split(':')
  const containing = ['*:*', `${resource}:*`, permission, ...(action === 'find' ? [`${resource}:read`] : [])]
  return containing.some((each) => caller.permissions.includes(each))
}
