import { z } from 'zod'
import { findStored, listStored, type StoredCredentialRow } from '../../../db/repos/credentials/stored.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { PageQuery } from '../../http/page.ts'
import { operators } from '../../http/route.ts'
import { presentWebSemantic, WebSemanticView } from './present.ts'

const stored: Collection<StoredCredentialRow> = {
  tag: 'Web semantic',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v2/credentials/web-semantic',
  id: 'id',
  events: 'CREDENTIAL_WEB_SEMANTIC',
  view: WebSemanticView,
  present: presentWebSemantic,
}

const Label = z.string().max(200).exactOptional()

const StoredQuery = PageQuery.extend({
  tag: Label.describe('Only credentials with this tag'),
  type: Label.describe('Only credentials that have this type'),
})

export const storedCredentialRoutes = [
  listOf(stored, {
    operation: 'retrieveWebSemanticCredentials',
    summary:
      'List the stored web semantic credentials. Credentials are stored if their request or configuration has `persist`.',
    query: StoredQuery,
    rows: ({ tenantId, query, deps }) => listStored(deps.db.read, tenantId, query),
  }),
  retrieve(stored, {
    operation: 'retrieveWebSemanticCredential',
    summary: 'Retrieve a stored web semantic credential',
    find: ({ tenantId, id, deps }) => findStored(deps.db.read, tenantId, id),
  }),
]
