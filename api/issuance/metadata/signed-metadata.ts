import { hash } from 'node:crypto'
import { findActiveAuthorities } from '../../../db/repos/certificates/signers.ts'
import { findActiveAccessCertificate } from '../../../db/repos/issuance/access-certificates.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { generatedMedia } from '../../http/representations/media.ts'
import { defineCache } from '../../process/caches.ts'

/** Returns the metadata as a JWT to clients that prefer one. The default is JSON (OpenID4VCI 1.0, section 12.2.2). */
export const signedMetadata = generatedMedia(
  'application/jwt',
  (metadata, { deps, tenant }) => signOnce(deps, tenant, metadata),
  { followsOrder: true },
)

/** The time for which a signature is reused. Anyone can request it, so reuse protects the signing queue. */
const sameForMs = 5 * 60_000

/** Signed metadata, by tenant, content and time. */
const signedMetadataCache = defineCache<string, Promise<string>>('signedMetadata', { max: 500 })

async function signOnce(deps: Deps, tenant: Tenant, metadata: unknown): Promise<string> {
  const cache = deps.caches.of(signedMetadataCache)
  const at = deps.clock.now()
  // The signer is the active access certificate, or one below an active IACA, so that a change of these needs another signature.
  const access = await findActiveAccessCertificate(deps.db.read, tenant.id)
  const authorities = await findActiveAuthorities(deps.db.read, tenant.id, 'iaca', at)
  const signedBy = [access?.fingerprint, ...authorities.map(({ id }) => id)]
  const content = hash('sha256', JSON.stringify([metadata, signedBy]), 'base64url')
  const key = [tenant.id, content, Math.floor(at.getTime() / sameForMs)].join(' ')
  const cached = cache.get(key)
  if (cached) return deps.withoutSlot(cached)
  const signature = signMetadata(deps, tenant, metadata)
  cache.set(key, signature)
  signature.catch(() => cache.delete(key))
  return deps.withoutSlot(signature)
}

/** Signs the metadata, with the signer that the tenant has now. */
export async function signMetadata(deps: Deps, { id, issuer }: Tenant, metadata: unknown): Promise<string> {
  const { jwt } = await deps.keys.call('signIssuerMetadata', {
    tenantId: id,
    issuer,
    // Boundary: a response of the route's schema is an object.
    metadata: metadata as Record<string, unknown>,
  })
  return jwt
}
