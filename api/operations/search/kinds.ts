import type { Reader } from '../../../db/client.ts'
import { matchClaimLinks } from '../../../db/repos/operations/search/match-claim-links.ts'
import {
  type FoundObject,
  matchBulkIssuances,
  matchCertificates,
  matchClients,
  matchConfigurations,
  matchCredentials,
  matchEcosystems,
  matchOffers,
  matchParticipants,
  matchRequests,
  matchTrustedIssuers,
  matchUsers,
  matchWebhooks,
} from '../../../db/repos/operations/search/search.ts'
import { allows, type CallerRights, type Permission } from '../../../shared/access/permissions.ts'
import { type Role, rightsOf, tenantRoles } from '../../../shared/access/roles.ts'
import { viewerOperations } from '../../../shared/access/viewer-operations.ts'

export type Match = (db: Reader, tenantId: string, text: string, limit: number) => Promise<FoundObject[]>

const isOfEcosystem = ({ certificateKind = 'iaca' }: FoundObject) =>
  ['ecosystem-ca', 'vical-signer', 'rical-signer'].includes(certificateKind)

/** A kind of object that a search finds. */
export interface SearchedKind {
  /** The operation that reads such an object, and its permission. The search shows an object only to those who can call it. */
  operation: string
  permission: Permission
  /** Uses one to three indexes. The maximum number is for each of them. A search calls each of these functions once. */
  match: Match
  /** Selects the objects of this kind from those of `match`, which several kinds can share. */
  isOf?: (object: FoundObject) => boolean
}

/** The kinds in the order of the results. */
export const searchedKinds = {
  user: { operation: 'retrieveUser', permission: 'users:find', match: matchUsers },
  offer: { operation: 'retrieveOffer', permission: 'offers:find', match: matchOffers },
  credential: { operation: 'retrieveIssuedCredential', permission: 'credentials:read', match: matchCredentials },
  configuration: { operation: 'retrieveConfigurations', permission: 'configurations:find', match: matchConfigurations },
  'bulk-issuance': { operation: 'retrieveBulkIssuance', permission: 'bulk-issuances:find', match: matchBulkIssuances },
  'claim-link': { operation: 'retrieveBulkRows', permission: 'bulk-issuances:find', match: matchClaimLinks },
  certificate: {
    operation: 'retrieveIaca',
    permission: 'certificates:read',
    match: matchCertificates,
    isOf: (each) => !isOfEcosystem(each),
  },
  'ecosystem-certificate': {
    operation: 'retrieveEcosystemCa',
    permission: 'ecosystem-certificates:read',
    match: matchCertificates,
    isOf: isOfEcosystem,
  },
  'trusted-issuer': {
    operation: 'retrieveTrustedIssuer',
    permission: 'trusted-issuers:read',
    match: matchTrustedIssuers,
  },
  ecosystem: { operation: 'retrieveEcosystem', permission: 'ecosystems:read', match: matchEcosystems },
  participant: { operation: 'retrieveParticipant', permission: 'ecosystems:read', match: matchParticipants },
  webhook: { operation: 'retrieveWebhook', permission: 'webhooks:read', match: matchWebhooks },
  client: { operation: 'retrieveClient', permission: 'clients:read', match: matchClients },
  request: { operation: 'retrieveEvents', permission: 'events:read', match: matchRequests },
} as const satisfies Record<string, SearchedKind>

export type SearchedKindName = keyof typeof searchedKinds

/** Returns whether a caller can find objects of a kind: whether it can call the operation that reads them. */
export function canFind(
  caller: CallerRights,
  { operation, permission }: Pick<SearchedKind, 'operation' | 'permission'>,
) {
  return allows(caller, permission) || (caller.roles.includes('viewer') && viewerOperations.has(operation))
}

/** The roles that can find something. */
export const searchRoles: Role[] = tenantRoles.filter((role) =>
  Object.values(searchedKinds).some((kind) => canFind(rightsOf([role]), kind)),
)
