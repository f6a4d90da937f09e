import type { Config } from '../../shared/config.ts'
import type { Secrets } from '../../shared/secrets.ts'
import type { WorkerDeps } from '../handlers.ts'
import { createKnownSigners } from './certificates/known-signers.ts'
import { createCurrentKeys } from './current-keys.ts'
import type { SigningDeps } from './deps.ts'
import { createKeyTerms } from './key-terms.ts'
import type { Keyring } from './keyring.ts'
import { createListFormats } from './lists/list-series.ts'
import { createStatusIndexAllocator } from './lists/status-index-allocator.ts'
import { createListDrafter } from './trusted-lists/draft-beside.ts'

export { bulkSigningHandlers, signingHandlers } from './handlers.ts'

interface Options extends WorkerDeps {
  config: Config
  secrets: Secrets
  keyring?: Keyring
}

/** What the handlers sign with. Throws where no keyring was given. */
export function createSigningDeps({ keyring, ...options }: Options): SigningDeps {
  if (!keyring) throw new Error('signing needs a keyring')
  const { publicScheme, databaseUrl } = options.config
  const known = {
    currentKeys: createCurrentKeys(keyring),
    keyTerms: createKeyTerms(options.db),
    knownSigners: createKnownSigners(),
    draftBeside: createListDrafter(databaseUrl),
  }
  const deps = { ...options, keyring, ...known, publicScheme }
  return { ...deps, places: createStatusIndexAllocator(deps), listFormats: createListFormats() }
}
