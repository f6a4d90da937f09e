import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { defineCache } from '../../process/caches.ts'

/** Signed once a day, so that anonymous requests cannot fill the signing queue. The credential is valid for a year. */
const reusedForMs = 24 * 3_600_000

/** Signed domain linkage documents, by tenant and day. */
const domainLinkagesCache = defineCache<string, Promise<Record<string, unknown>>>('domainLinkages', { max: 1_000 })

/** The credential with which the tenant's DID and its host point at each other. Throws `service_unavailable`. */
export function domainLinkage(
  { caches, clock, keys, withoutSlot }: Deps,
  tenant: Tenant,
): Promise<Record<string, unknown>> {
  const cache = caches.of(domainLinkagesCache)
  const key = `${tenant.id} ${Math.floor(clock.now().getTime() / reusedForMs)}`
  const cached = cache.get(key)
  if (cached) return withoutSlot(cached)
  const signed = keys.call('signDomainLinkage', { tenantId: tenant.id }).then(({ credential }) => credential)
  cache.set(key, signed)
  signed.catch(() => cache.delete(key))
  return withoutSlot(signed)
}
