import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/** Signed once a day, so that anonymous requests cannot fill the signing queue. The credential is valid for a year. */
const reusedForMs = 24 * 3_600_000

/** The credential with which the tenant's DID and its host point at each other. Throws `service_unavailable`. */
export function domainLinkage(
  { caches, clock, keys, withoutSlot }: Deps,
  tenant: Tenant,
): Promise<Record<string, unknown>> {
  const known = caches.domainLinkages
  const key = `${tenant.id} ${Math.floor(clock.now().getTime() / reusedForMs)}`
  const found = known.get(key)
  if (found) return withoutSlot(found)
  const signed = keys.call('signDomainLinkage', { tenantId: tenant.id }).then(({ credential }) => credential)
  known.set(key, signed)
  signed.catch(() => known.delete(key))
  return withoutSlot(signed)
}
