import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import type { CachedMetadata } from '../caches.ts'
import { readMetadata } from './metadata.ts'
import type { PublishedMetadata } from './schemas.ts'

/**
 * Returns one of the tenant's documents. It is regenerated at most once a second, or after this process changed its
 * content.
 */
export async function publishedMetadata(deps: Deps, tenant: Tenant, which: keyof PublishedMetadata): Promise<Answer> {
  const { metadata } = deps.caches
  const kept = metadata.get(tenant.id) ?? keep(deps, tenant)
  const published = await kept.published
  return new Answer(published[which], { freshWhile: () => metadata.peek(tenant.id) === kept })
}

function keep(deps: Deps, tenant: Tenant): CachedMetadata {
  const { metadata } = deps.caches
  const kept: CachedMetadata = { published: readMetadata(deps, tenant), lengthBytes: 0 }
  metadata.set(tenant.id, kept)
  const isKept = () => metadata.peek(tenant.id) === kept
  kept.published.then(
    (published) => {
      kept.lengthBytes = JSON.stringify(published).length
      if (isKept()) metadata.set(tenant.id, kept, { noUpdateTTL: true })
    },
    () => {
      if (isKept()) metadata.delete(tenant.id)
    },
  )
  return kept
}
