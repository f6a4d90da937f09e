import type { Secrets } from '../../shared/secrets/secrets.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import type { CredentialCounts } from './credential-counts.ts'
import type { IssuanceCounts } from './issuance-counts.ts'
import type { KeyTerms } from './key-terms.ts'
import type { ListDeps } from './lists/issuer-list.ts'
import type { ListFormats } from './lists/list-series.ts'
import type { StatusIndexAllocator } from './lists/status-index-allocator.ts'
import type { TrustedListDeps } from './trusted-lists/publish-trusted-list.ts'
import type { WalletActivity } from './wallet-activity.ts'

/** The dependencies of the handlers of the signing queues. */
export interface SigningDeps extends WorkerDeps, ListDeps, TrustedListDeps {
  /** Seals results. */
  secrets: Secrets
  keyTerms: KeyTerms
  counts: CredentialCounts
  statusIndexes: StatusIndexAllocator
  listFormats: ListFormats
  /** Both are shared by the roles of the process. */
  walletActivity: WalletActivity
  issuanceCounts: IssuanceCounts
}
