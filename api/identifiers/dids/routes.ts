import { deleteDid, findDid, listDids } from '../../../db/repos/identifiers/dids.ts'
import { deleteKeys } from '../../../db/repos/identifiers/keys.ts'
import { didDocument } from '../../../db/repos/identifiers/own-documents.ts'
import { unregisterDidOf } from '../../../db/repos/messaging/inbox-dids.ts'
import { hasListsOf } from '../../../db/repos/status/lists.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { domainLinkageContext } from '../../../shared/formats/json-ld-contexts.ts'
import { createAuditedWithKeys } from '../../audit/audited-crud.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Collection } from '../../http/collection.ts'
import { described } from '../../http/fields.ts'
import { anyone, defineRoute, operators, type Route } from '../../http/route.ts'
import { createDid } from './create.ts'
import { domainLinkage } from './domain-linkage.ts'
import { getOwnDid, type ListedDid, presentDid, toListedDid } from './listed.ts'
import {
  Did,
  DidConfiguration,
  DidConfigurationEntries,
  DidDocumentSchema,
  DidView,
  exampleKeyDid,
  NewDid,
} from './schemas.ts'

const dids: Collection<ListedDid> = {
  tag: 'DIDs',
  access: operators('admin', 'issuer', 'managed-issuer', 'verifier', 'dts-provider'),
  path: '/v1/dids',
  id: 'id',
  idSchema: described(Did, 'The DID', exampleKeyDid),
  events: 'DID',
  view: DidView,
  present: presentDid,
}

/** The common part of both forms of the DID configuration. */
const linkage = {
  tag: 'Discovery',
  method: 'GET',
  access: anyone,
  status: 200,
  representations: { maxAgeSeconds: 60, cors: true },
  problems: ['service_unavailable'],
} satisfies Partial<Route>

export const didRoutes = [
  createAuditedWithKeys(dids, {
    operation: 'createDid',
    summary: 'Create a DID. The service generates and stores its keys.',
    body: NewDid,
    problems: ['conflict', 'service_unavailable'],
    handle: ({ tenantId, body, deps, change, deadlineAt }) => createDid(deps, change, tenantId, body, deadlineAt),
  }),
  ...auditedCrudOf(dids, {
    name: 'Did',
    list: {
      summary: "List the DIDs. The tenant's own DID is the first.",
      async rows(db, tenantId, page, { tenant, deps }) {
        const own = page.cursor ? [] : [await getOwnDid(deps, tenant)]
        return [...own, ...(await listDids(db, tenantId, page)).map(toListedDid)]
      },
    },
    retrieve: {
      summary: 'Retrieve a DID',
      async find(db, tenantId, id, { tenant, deps }) {
        if (id === tenant.did) return getOwnDid(deps, tenant)
        const row = await findDid(db, tenantId, id)
        return row && toListedDid(row)
      },
    },
    delete: {
      summary: 'Delete a DID with its keys',
      problems: ['conflict'],
      async remove(tx, { tenant, tenantId, id, deps }) {
        if (id === tenant.did) throw new Problem('conflict', { message: "The tenant's own DID cannot be deleted" })
        const rowId = await deleteDid(tx, tenantId, id)
        if (rowId && (await hasListsOf(tx, tenantId, id)))
          throw new Problem('conflict', {
            message: 'The DID has issued credentials and signs their revocation lists. It cannot be deleted.',
          })
        if (rowId) {
          await deleteKeys(tx, tenantId, { kind: 'did', id: rowId }, 'did', deps.clock.now())
          // Without its keys, messages to the DID cannot be decrypted.
          await unregisterDidOf(tx, tenantId, id)
        }
        return rowId !== undefined
      },
    },
  }),
  defineRoute({
    operation: 'retrieveDidDocument',
    summary: "Retrieve the tenant's did:web document",
    tag: 'Discovery',
    method: 'GET',
    path: '/.well-known/did.json',
    access: anyone,
    status: 200,
    response: DidDocumentSchema,
    // A new key signs immediately. A verifier that does not know the key fetches the document again, and must not get a cached one.
    representations: { maxAgeSeconds: 0, etag: 'bytes', cors: true },
    handle: ({ tenant, deps }) => didDocument(deps, tenant),
  }),
  defineRoute({
    ...linkage,
    operation: 'retrieveDidConfiguration',
    summary: "Retrieve the link between the tenant's DID and its host",
    path: '/.well-known/did-configuration',
    response: DidConfigurationEntries,
    handle: async ({ tenant, deps }) => ({ entries: [await domainLinkage(deps, tenant)] }),
  }),
  defineRoute({
    ...linkage,
    operation: 'retrieveLinkedDids',
    summary: "Retrieve the link between the tenant's DID and its host as a DIF DID configuration resource",
    path: '/.well-known/did-configuration.json',
    response: DidConfiguration,
    handle: async ({ tenant, deps }) => ({
      '@context': domainLinkageContext,
      linked_dids: [await domainLinkage(deps, tenant)],
    }),
  }),
]
