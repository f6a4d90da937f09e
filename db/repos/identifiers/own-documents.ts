import type { Clock } from '../../../shared/clock.ts'
import type { OwnDocuments } from '../../../shared/domain/identifiers/resolver.ts'
import { type DidDocument, didWebDocument, didWebKeysFrom } from '../../../shared/formats/did-document.ts'
import type { Config } from '../../../shared/settings/config.ts'
import type { Database } from '../../client.ts'
import { tenantAtHost } from '../tenancy/tenant-at-host.ts'
import { findPublishedKeys, tenantOwner } from './keys.ts'

interface DocumentDeps {
  db: Database
  clock: Clock
}

/**
 * Returns the document of the tenant's did:web, with its four keys and the retired keys whose signatures are still in
 * use.
 */
export async function didDocument(
  { db, clock }: DocumentDeps,
  tenant: { id: string; did: string },
): Promise<DidDocument> {
  const rows = await findPublishedKeys(db.read, tenant.id, tenantOwner, 'did', clock.now())
  const replaced = rows.filter(({ retiredAt }) => retiredAt)
  return didWebDocument(
    tenant.did,
    didWebKeysFrom(rows.filter(({ retiredAt }) => !retiredAt)),
    replaced.map(({ id, publicJwk }) => ({ fragment: id, publicJwk })),
  )
}

/** Resolves the documents of tenants of this service by host, so that a resolver does not call its own service. */
export function ownDocuments(deps: DocumentDeps & { config: Config }): OwnDocuments {
  return async (host) => {
    const tenant = await tenantAtHost(deps, host)
    return tenant === undefined || tenant === 'absent' ? tenant : didDocument(deps, tenant)
  }
}
