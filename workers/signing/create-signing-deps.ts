import type { Secrets } from '../../shared/secrets/secrets.ts'
import type { Config } from '../../shared/settings/config.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { createSignerCache } from './certificates/signer-cache.ts'
import { createCredentialCounts } from './credential-counts.ts'
import type { SigningDeps } from './deps.ts'
import type { IssuanceCounts } from './issuance-counts.ts'
import { createKeyTerms } from './key-terms.ts'
import { createCurrentKeys } from './keys/current-keys.ts'
import type { Keyring } from './keys/keyring.ts'
import { createListFormats } from './lists/list-series.ts'
import { createStatusIndexAllocator } from './lists/status-index-allocator.ts'
import { createListDrafter } from './trusted-lists/list-drafter.ts'
import type { WalletActivity } from './wallet-activity.ts'

export { bulkSigningHandlers, signingHandlers } from './handlers.ts'
export { statesOfProviders } from './keys/providers.ts'

interface Options extends WorkerDeps {
  config: Config
  secrets: Secrets
  keyring?: Keyring
  walletActivity: WalletActivity
  issuanceCounts: IssuanceCounts
}

/** Creates the dependencies of the signing handlers. Throws without a keyring. */
export function createSigningDeps({ keyring, ...options }: Options): SigningDeps {
  if (!keyring) throw new Error('signing needs a keyring')
  const { publicScheme, databaseUrl, metricsTenants } = options.config
  const caches = {
    currentKeys: createCurrentKeys(keyring),
    keyTerms: createKeyTerms(options.db),
    counts: createCredentialCounts(metricsTenants),
    signerCache: createSignerCache(),
    draftOnThread: createListDrafter(databaseUrl),
  }
  const deps = { ...options, keyring, ...caches, publicScheme }
  return { ...deps, statusIndexes: createStatusIndexAllocator(deps), listFormats: createListFormats() }
}
