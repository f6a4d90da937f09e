import { findPublishedKeys, tenantItself } from '../../../db/repos/identifiers/keys.ts'
import { type DidDocument, didWebDocument, didWebKeysFrom } from '../../../shared/formats/did-document.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/** The document of the tenant's did:web, with its four keys. */
export async function didDocument(deps: Deps, tenant: Tenant): Promise<DidDocument> {
  const rows = await findPublishedKeys(deps.db.read, tenant.id, tenantItself, 'did', deps.clock.now())
  return didWebDocument(tenant.did, didWebKeysFrom(rows))
}
