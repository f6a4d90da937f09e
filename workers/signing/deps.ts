import type { Secrets } from '../../shared/secrets.ts'
import type { WorkerDeps } from '../handlers.ts'
import type { KeyTerms } from './key-terms.ts'
import type { ListDeps } from './lists/issuer-list.ts'
import type { ListFormats } from './lists/list-series.ts'
import type { StatusIndexAllocator } from './lists/status-index-allocator.ts'
import type { TrustedListDeps } from './trusted-lists/publish-trusted-list.ts'

/** What the handlers of the signing queue can use. */
export interface SigningDeps extends WorkerDeps, ListDeps, TrustedListDeps {
  /** For what goes back to who waits. */
  secrets: Secrets
  keyTerms: KeyTerms
  places: StatusIndexAllocator
  listFormats: ListFormats
}
