import { findPublishedKeys, tenantItself } from '../../../db/repos/identifiers/keys.ts'
import type { OwnDocuments } from '../../../shared/dids/resolver.ts'
import { type DidDocument, didWebDocument, didWebKeysFrom } from '../../../shared/formats/did-document.ts'
import type { Tenant } from '../../access/subjects.ts'
import { tenantAtHost } from '../../access/tenant.ts'
import type { Deps } from '../../deps.ts'

type Asking = Pick<Deps, 'db' | 'clock'>

/** The document of the tenant's did:web, with its four keys, and those before them whose signatures are still about. */
export async function didDocument(deps: Asking, tenant: Pick<Tenant, 'id' | 'did'>): Promise<DidDocument> {
  const rows = await findPublishedKeys(deps.db.read, tenant.id, tenantItself, 'did', deps.clock.now())
  const replaced = rows.filter(({ retiredAt }) => retiredAt)
  return didWebDocument(
    tenant.did,
    didWebKeysFrom(rows.filter(({ retiredAt }) => !retiredAt)),
    replaced.map(({ id, publicJwk }) => ({ fragment: id, publicJwk })),
  )
}

/** The documents of this service's tenants by host, for a resolver that is not to call its own service. */
export function ownDocuments(deps: Asking & Pick<Deps, 'config'>): OwnDocuments {
  return async (host) => {
    const tenant = await tenantAtHost(deps, host)
    return tenant === undefined || tenant === 'absent' ? tenant : didDocument(deps, tenant)
  }
}
