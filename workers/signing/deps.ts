import type { WorkerDeps } from '../handlers.ts'
import type { KnownSigners } from './certificates/known-signers.ts'
import type { Keyring } from './keyring.ts'
import type { ListDeps } from './lists/issuer-list.ts'
import type { Places } from './lists/places.ts'

/** What the handlers of the signing queue can use. */
export interface SigningDeps extends WorkerDeps, ListDeps {
  keyring: Keyring
  places: Places
  knownSigners: KnownSigners
}
