import { tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { findTenant } from '../../db/repos/tenancy/tenants.ts'
import { isServed } from '../../db/tables/tenancy/tenants.ts'
import { plusMs } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { type SignedJsonLd, signJsonLd } from '../../shared/formats/json-ld.ts'
import { credentialsContext, domainLinkageContext } from '../../shared/formats/json-ld-contexts.ts'
import type { SigningDeps } from './deps.ts'

const validForMs = 365 * 24 * 3_600_000

/**
 * Signs a domain linkage credential, which links the tenant's DID to its host (DIF Well Known DID Configuration, "Domain Linkage
 * Credential"). The specification forbids an `id`.
 */
export async function signDomainLinkage(deps: SigningDeps, tenantId: string): Promise<{ credential: SignedJsonLd }> {
  const { db, clock, currentKeys, keyTerms, publicScheme } = deps
  const tenant = await findTenant(db.read, tenantId)
  if (!tenant || !isServed(tenant)) throw new Problem('not_found')
  const { did, canonicalHost } = tenant
  const use = { purpose: 'did', algorithm: 'Ed25519' } as const
  const key = await currentKeys.of(db.read, tenantId, tenantOwner, use)
  const created = clock.now()
  const ends = plusMs(created, validForMs)
  await keyTerms.extendTo(tenantId, key.id, ends)
  const unsigned = {
    '@context': [credentialsContext, domainLinkageContext],
    type: ['VerifiableCredential', 'DomainLinkageCredential'],
    issuer: did,
    issuanceDate: inWholeSeconds(created),
    expirationDate: inWholeSeconds(ends),
    credentialSubject: { id: did, origin: `${publicScheme}://${canonicalHost}` },
  }
  const signer = { verificationMethod: `${did}#${key.id}`, key, created }
  return { credential: await signJsonLd(unsigned, signer) }
}

function inWholeSeconds(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`
}
