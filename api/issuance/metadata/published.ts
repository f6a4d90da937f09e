import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { defineTenantCache } from '../../process/caches.ts'
import { readMetadata } from './metadata.ts'
import type { PublishedMetadata } from './schemas.ts'

interface CachedMetadata {
  published: Promise<PublishedMetadata>
  /** 0 until `published` has settled. */
  lengthBytes: number
}

/** A change by another process is visible after this time. */
const metadataTtlMs = 1_000
const maxBytes = 64_000_000

export const metadataCache = defineTenantCache<CachedMetadata>('metadata', {
  maxSize: maxBytes,
  sizeCalculation: ({ lengthBytes }) => lengthBytes + 1,
  ttl: metadataTtlMs,
})

/**
 * Returns a document from the metadata of the tenant. The metadata are regenerated at most once a second, or after this process
 * changed their content.
 */
export async function publishedMetadata(
  deps: Deps,
  tenant: Tenant,
  contentOf: (published: PublishedMetadata) => unknown,
): Promise<Answer> {
  const metadata = deps.caches.of(metadataCache)
  const cached = metadata.get(tenant.id) ?? keep(deps, tenant)
  const published = await cached.published
  return new Answer(contentOf(published), { freshWhile: () => metadata.peek(tenant.id) === cached })
}

/** Returns the metadata of the tenant, which can be a second old. */
export function readRecentMetadata(deps: Deps, tenant: Tenant): Promise<PublishedMetadata> {
  return (deps.caches.of(metadataCache).get(tenant.id) ?? keep(deps, tenant)).published
}

function keep(deps: Deps, tenant: Tenant): CachedMetadata {
  const metadata = deps.caches.of(metadataCache)
  const cached: CachedMetadata = { published: readMetadata(deps, tenant), lengthBytes: 0 }
  metadata.set(tenant.id, cached)
  const isCached = () => metadata.peek(tenant.id) === cached
  cached.published.then(
    (published) => {
      cached.lengthBytes = JSON.stringify(published).length
      if (isCached()) metadata.set(tenant.id, cached, { noUpdateTTL: true })
    },
    () => {
      if (isCached()) metadata.delete(tenant.id)
    },
  )
  return cached
}
