import type { Reader } from '../../../db/client.ts'
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
import type { Role } from '../../../shared/access/roles.ts'
import { viewerOperations } from '../../../shared/access/viewer-operations.ts'

const issuing: readonly Role[] = ['admin', 'issuer', 'managed-issuer']
const trusting: readonly Role[] = ['admin', 'dts-provider', 'dts-consumer']

export type Match = (db: Reader, tenantId: string, text: string, limit: number) => Promise<FoundObject[]>

const isOfEcosystem = ({ certificateKind = 'iaca' }: FoundObject) =>
  ['ecosystem-ca', 'vical-signer', 'rical-signer'].includes(certificateKind)

/** A kind of object that a search finds. */
export interface SearchedKind {
  /** The operation that reads such an object. The search shows an object only to its roles. */
  operation: string
  roles: readonly Role[]
  /** Uses one to three indexes. The maximum number is for each of them. A search calls each of these functions once. */
  match: Match
  /** Selects the objects of this kind from those of `match`, which several kinds can share. */
  isOf?: (object: FoundObject) => boolean
}

/** The kinds in the order of the results. */
export const searchedKinds = {
  user: { operation: 'retrieveUser', roles: issuing, match: matchUsers },
  offer: { operation: 'retrieveOffer', roles: issuing, match: matchOffers },
  credential: { operation: 'retrieveIssuedCredential', roles: issuing, match: matchCredentials },
  configuration: { operation: 'retrieveConfigurations', roles: issuing, match: matchConfigurations },
  'bulk-issuance': { operation: 'retrieveBulkIssuance', roles: issuing, match: matchBulkIssuances },
  certificate: {
    operation: 'retrieveIaca',
    roles: issuing,
    match: matchCertificates,
    isOf: (each) => !isOfEcosystem(each),
  },
  'ecosystem-certificate': {
    operation: 'retrieveEcosystemCa',
    roles: trusting,
    match: matchCertificates,
    isOf: isOfEcosystem,
  },
  'trusted-issuer': { operation: 'retrieveTrustedIssuer', roles: ['admin', 'verifier'], match: matchTrustedIssuers },
  ecosystem: { operation: 'retrieveEcosystem', roles: trusting, match: matchEcosystems },
  participant: { operation: 'retrieveParticipant', roles: trusting, match: matchParticipants },
  webhook: { operation: 'retrieveWebhook', roles: issuing, match: matchWebhooks },
  client: { operation: 'retrieveClient', roles: ['admin'], match: matchClients },
  request: { operation: 'retrieveEvents', roles: ['admin', 'auditor'], match: matchRequests },
} as const satisfies Record<string, SearchedKind>

export type SearchedKindName = keyof typeof searchedKinds

/** Returns the roles that can find objects of a kind: those of the operation that reads them. */
export function rolesOfKind({ operation, roles }: Pick<SearchedKind, 'operation' | 'roles'>): readonly Role[] {
  return viewerOperations.has(operation) ? [...roles, 'viewer'] : roles
}

/** The roles that can find something. */
export const searchRoles: Role[] = [...new Set(Object.values(searchedKinds).flatMap((kind) => [...rolesOfKind(kind)]))]
