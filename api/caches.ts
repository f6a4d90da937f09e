import { type AccessCaches, createAccessCaches } from './access/caches.ts'
import { createEcosystemCaches, type EcosystemCaches } from './ecosystems/caches.ts'
import { createIdentifierCaches, type IdentifierCaches } from './identifiers/caches.ts'
import { createIssuanceCaches, type IssuanceCaches } from './issuance/caches.ts'
import { createOperationsCaches, type OperationsCaches } from './operations/caches.ts'
import { createRelyingPartyCaches, type RelyingPartyCaches } from './relying-party/caches.ts'
import { createStatusCaches, type StatusCaches } from './status/caches.ts'

/** The caches of one web process. */
export interface Caches
  extends AccessCaches,
    EcosystemCaches,
    IdentifierCaches,
    IssuanceCaches,
    OperationsCaches,
    RelyingPartyCaches,
    StatusCaches {}

export function createCaches(): Caches {
  return {
    ...createAccessCaches(),
    ...createEcosystemCaches(),
    ...createIdentifierCaches(),
    ...createIssuanceCaches(),
    ...createOperationsCaches(),
    ...createRelyingPartyCaches(),
    ...createStatusCaches(),
  }
}
