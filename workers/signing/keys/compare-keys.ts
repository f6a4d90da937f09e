import {
  findKeyComparison,
  findKeysInProvider,
  findTenantsAmong,
  type KeyComparison,
  storeKeyComparison,
} from '../../../db/repos/identifiers/key-comparisons.ts'
import type { MissingKey, UnusedKey } from '../../../db/tables/identifiers/key-comparisons.ts'
import { minuteMs } from '../../../shared/clock.ts'
import type { SigningDeps } from '../deps.ts'
import type { KeyProvider } from './provider.ts'

type Deps = Pick<SigningDeps, 'db' | 'keyring' | 'clock' | 'log'>

/** A provider with more keys is not compared, because their names fill the memory. */
const maxComparedKeys = 200_000
const rowsPerRead = 500
const maxMissing = 20
const maxUnused = 1_000
/** Callers who ask again meanwhile get the last comparison. */
const repeatedAfterMs = minuteMs

/** Compares the rows of keys with the keys of each provider of this process, and stores the result. */
export async function compareKeys(deps: Deps): Promise<void> {
  for (const provider of deps.keyring.custody.providers.values()) {
    try {
      await compareProvider(deps, provider)
    } catch (error) {
      // The provider has an alarm of its own. The others are compared.
      deps.log.warn({ err: error, provider: provider.name }, 'keys not compared with those of the provider')
    }
  }
}

/** Compares a provider, unless the last comparison is of the last minute. Returns the comparison. */
export async function compareProvider(
  deps: Deps,
  provider: KeyProvider,
  { isForced = false } = {},
): Promise<KeyComparison> {
  const { db, clock, log } = deps
  const earlier = await findKeyComparison(db.read, provider.name)
  const isRecent = earlier && Math.abs(clock.now().getTime() - earlier.comparedAt.getTime()) < repeatedAfterMs
  if (earlier && isRecent && !isForced) return earlier
  const comparison = await compare(deps, provider, earlier)
  await db.tx((tx) => storeKeyComparison(tx, comparison))
  const { missingCount, missing } = comparison
  if (missingCount !== (earlier?.missingCount ?? 0)) report(log, { provider: provider.name, missingCount, missing })
  return comparison
}

function report(log: Deps['log'], fields: Pick<KeyComparison, 'provider' | 'missingCount' | 'missing'>): void {
  if (fields.missingCount > 0) log.error(fields, 'private keys are missing in their provider')
  else log.info({ provider: fields.provider }, 'no private key is missing in its provider any more')
}

async function compare(
  { db, clock }: Deps,
  provider: KeyProvider,
  earlier: KeyComparison | undefined,
): Promise<KeyComparison> {
  const comparedAt = clock.now()
  const result = { provider: provider.name, comparedAt, missingCount: 0, missing: [], unused: [] }
  const first = await compareOnce(db.read, provider)
  if (!first) return { ...result, isComplete: false, rowCount: 0, keyCount: maxComparedKeys }
  const { rowCount, keyCount } = first
  const unused = await unusedOf(db.read, provider, { ...first, earlier, foundAt: comparedAt.getTime() })
  if (first.missing.size === 0) return { ...result, isComplete: true, rowCount, keyCount, unused }
  // A key that was generated or destroyed during the comparison is not missing in the next one.
  const second = await compareOnce(db.read, provider)
  const missing = [...(second?.missing.values() ?? [])].filter(({ keyId }) => first.missing.has(keyId))
  const counted = { missingCount: missing.length, missing: missing.slice(0, maxMissing) }
  return { ...result, isComplete: second !== undefined, rowCount, keyCount, unused, ...counted }
}

/** Returns undefined if the provider has too many keys. */
async function compareOnce(db: Deps['db']['read'], provider: KeyProvider) {
  const unnamed = await readHandles(provider)
  if (!unnamed) return undefined
  const keyCount = unnamed.size
  const missing = new Map<string, MissingKey>()
  let rowCount = 0
  for (let after = ''; ; ) {
    const rows = await findKeysInProvider(db, provider.name, { after, limit: rowsPerRead })
    rowCount += rows.length
    for (const { id: keyId, tenantId, handle } of rows)
      if (!unnamed.delete(handle ?? '')) missing.set(keyId, { tenantId, keyId })
    const last = rows.at(-1)
    if (!last || rows.length < rowsPerRead) return { keyCount, rowCount, missing, unnamed }
    after = last.id
  }
}

async function readHandles(provider: KeyProvider): Promise<Set<string> | undefined> {
  const handles = new Set<string>()
  for await (const handle of provider.handles()) {
    if (handles.size === maxComparedKeys) return undefined
    handles.add(handle)
  }
  return handles
}

/** Returns the keys that belong to this installation, those that were found first before the others. */
async function unusedOf(
  db: Deps['db']['read'],
  { tenantOf }: KeyProvider,
  { unnamed, earlier, foundAt }: { unnamed: Set<string>; earlier: KeyComparison | undefined; foundAt: number },
): Promise<UnusedKey[]> {
  const handles = tenantOf ? await handlesOfTenants(db, unnamed, tenantOf) : [...unnamed]
  const foundBefore = new Map(earlier?.unused.map((key) => [key.handle, key.foundAt]))
  return handles
    .map((handle) => ({ handle, foundAt: foundBefore.get(handle) ?? foundAt }))
    .sort((a, b) => a.foundAt - b.foundAt)
    .slice(0, maxUnused)
}

/** Another installation and other programs can have keys in the same token. */
async function handlesOfTenants(
  db: Deps['db']['read'],
  handles: Set<string>,
  tenantOf: (handle: string) => string | undefined,
): Promise<string[]> {
  const tenantIds = [...new Set([...handles].flatMap((handle) => tenantOf(handle) ?? []))]
  const own = new Set<string>()
  for (let at = 0; at < tenantIds.length; at += rowsPerRead)
    for (const id of await findTenantsAmong(db, tenantIds.slice(at, at + rowsPerRead))) own.add(id)
  return [...handles].filter((handle) => own.has(tenantOf(handle) ?? ''))
}
