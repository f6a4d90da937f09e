import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { defineTenantCache } from '../../process/caches.ts'
import { readMetadata } from './metadata.ts'
import type { PublishedMetadata } from './schemas.ts'

interface CachedMetadata {
  /** The metadata of each view, by its id. Those of the tenant itself have the empty id. */
  published: Map<string, Promise<PublishedMetadata>>
  /** The length of the metadata that have settled. */
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
 * Returns a document from the metadata of the tenant or its view. The metadata are regenerated at most once a second, or after this
 * process changed their content.
 */
export async function publishedMetadata(
  deps: Deps,
  tenant: Tenant,
  contentOf: (published: PublishedMetadata) => unknown,
): Promise<Answer> {
  const metadata = deps.caches.of(metadataCache)
  const cached = entryOf(deps, tenant)
  const published = await metadataIn(deps, tenant, cached)
  return new Answer(contentOf(published), { freshWhile: () => metadata.peek(tenant.id) === cached })
}

/** Returns the metadata of the tenant or its view, which can be a second old. */
export function readRecentMetadata(deps: Deps, tenant: Tenant): Promise<PublishedMetadata> {
  return metadataIn(deps, tenant, entryOf(deps, tenant))
}

const viewKeyOf = ({ view }: Tenant) => view?.id ?? ''

function entryOf(deps: Deps, { id }: Tenant): CachedMetadata {
  const metadata = deps.caches.of(metadataCache)
  const existing = metadata.get(id)
  if (existing) return existing
  const cached: CachedMetadata = { published: new Map(), lengthBytes: 0 }
  metadata.set(id, cached)
  return cached
}

async function metadataIn(deps: Deps, tenant: Tenant, cached: CachedMetadata): Promise<PublishedMetadata> {
  return cached.published.get(viewKeyOf(tenant)) ?? keep(deps, tenant, cached)
}

function keep(deps: Deps, tenant: Tenant, cached: CachedMetadata): Promise<PublishedMetadata> {
  const metadata = deps.caches.of(metadataCache)
  const reading = readMetadata(deps, tenant)
  cached.published.set(viewKeyOf(tenant), reading)
  const isCached = () => metadata.peek(tenant.id) === cached
  reading.then(
    (published) => {
      cached.lengthBytes += JSON.stringify(published).length
      if (isCached()) metadata.set(tenant.id, cached, { noUpdateTTL: true })
    },
    () => {
      if (isCached()) metadata.delete(tenant.id)
    },
  )
  return reading
}
