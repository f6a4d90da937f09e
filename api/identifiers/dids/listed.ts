import type { CompleteDid, DidRowContent } from '../../../db/repos/identifiers/dids.ts'
import { findKeyProviders } from '../../../db/repos/identifiers/key-inventory.ts'
import { type KeyOwner, tenantOwner } from '../../../db/repos/identifiers/keys.ts'
import { didDocument } from '../../../db/repos/identifiers/own-documents.ts'
import { findTenant } from '../../../db/repos/tenancy/tenants.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/** A DID in a list. `createdAt` is only for the order of the list. */
export interface ListedDid extends DidRowContent {
  id: string
  owner: KeyOwner
  createdAt: Date
  registeredAt: Date
}

export function toListedDid({ id, createdAt, did, document, documentedKeys }: CompleteDid): ListedDid {
  const owner = { kind: 'did', id } as const
  return { id, owner, createdAt, registeredAt: createdAt, did, document, documentedKeys }
}

/** Returns the tenant's own did:web, which has no row. It is the first in lists. */
export async function getOwnDid(deps: Deps, tenant: Tenant): Promise<ListedDid> {
  const [row, document] = await Promise.all([findTenant(deps.db.read, tenant.id), didDocument(deps, tenant)])
  if (!row) throw new Error('the tenant of the request was deleted')
  const documentedKeys = document.verificationMethod.map(({ id }) => ({
    didDocumentKeyId: id,
    keyId: id.slice(document.id.length + 1),
  }))
  const times = { createdAt: new Date(0), registeredAt: row.createdAt }
  return { id: row.id, owner: tenantOwner, ...times, did: tenant.did, document, documentedKeys }
}

export async function presentDid(
  { did, owner, registeredAt, document, documentedKeys }: ListedDid,
  { deps, tenant }: { deps: Deps; tenant: Tenant },
) {
  const providers = await findKeyProviders(deps.db.read, tenant.id, owner, 'did')
  return {
    did,
    registrationStatus: 'COMPLETED',
    localMetadata: {
      keys: documentedKeys.map(({ didDocumentKeyId, keyId }) => ({
        didDocumentKeyId,
        kmsKeyId: keyId,
        provider: providers.get(keyId),
      })),
      registered: registeredAt.getTime(),
      initialDidDocument: document,
    },
  }
}
