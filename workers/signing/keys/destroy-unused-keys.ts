import { storeKeyComparison } from '../../../db/repos/identifiers/key-comparisons.ts'
import { appendToAudit } from '../../../db/repos/operations/audit/audit.ts'
import { auditEntry } from '../../../db/repos/operations/audit/audited.ts'
import { unusedSince } from '../../../shared/domain/identifiers/unused-keys.ts'
import type { Payload, Result } from '../../../shared/jobs/registry.ts'
import type { SigningDeps } from '../deps.ts'
import { compareProvider } from './compare-keys.ts'
import { KeyProviderRefused } from './provider.ts'
import { getProvider } from './providers.ts'

/** The keys of one request, which has a deadline. */
const maxDestroyed = 50

/**
 * Compares a provider again and destroys keys that no row names and that were found an hour ago or earlier. The audit of the platform has
 * their names. A repeated request continues with the others.
 */
export async function destroyUnusedKeys(
  deps: Pick<SigningDeps, 'db' | 'keyring' | 'clock' | 'log'>,
  { tenantId: platformId, provider: name, by }: Payload<'destroyUnusedKeys'>,
): Promise<Result<'destroyUnusedKeys'>> {
  const { db, keyring, clock, log } = deps
  const provider = getProvider(keyring.custody, name)
  const comparison = await compareProvider(deps, provider, { isForced: true })
  const unused = unusedSince(comparison)
  const destroyed = new Set<string>()
  const refused: string[] = []
  for (const { handle } of unused.slice(0, maxDestroyed)) {
    try {
      await provider.destroy(handle)
      destroyed.add(handle)
    } catch (error) {
      if (!(error instanceof KeyProviderRefused)) throw error
      refused.push(handle)
      log.error({ err: error, provider: name, handle }, 'unused key not destroyed, the provider refused it')
    }
  }
  const left = comparison.unused.filter(({ handle }) => !destroyed.has(handle))
  await db.tx(async (tx) => {
    await storeKeyComparison(tx, { ...comparison, keyCount: comparison.keyCount - destroyed.size, unused: left })
    const data = { provider: name, handles: [...destroyed], ...(refused.length > 0 && { refused }) }
    await appendToAudit(tx, [auditEntry(by, platformId, data)], clock.now())
  })
  return { destroyed: destroyed.size, refused: refused.length, left: unused.length - destroyed.size }
}
