import type { WorkerDeps } from '../handlers.ts'
import type { CurrentKeys } from './current-keys.ts'
import type { Keyring } from './keyring.ts'

/** What the handlers of the signing queue can use. */
export interface SigningDeps extends WorkerDeps {
  keyring: Keyring
  currentKeys: CurrentKeys
}
