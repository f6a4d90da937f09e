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

const Word = z.string().max(200).exactOptional()

const StoredQuery = PageQuery.extend({
  tag: Word.describe('Those that were signed with this tag'),
  type: Word.describe('Those that are of this type, among others'),
})

export const storedCredentialRoutes = [
  listOf(stored, {
    operation: 'retrieveWebSemanticCredentials',
    summary: 'List the web semantic credentials that are kept, because their request or configuration says `persist`',
    query: StoredQuery,
    rows: ({ tenantId, query, deps }) => listStored(deps.db.read, tenantId, query),
  }),
  retrieve(stored, {
    operation: 'retrieveWebSemanticCredential',
    summary: 'Retrieve a web semantic credential that is kept',
    find: ({ tenantId, id, deps }) => findStored(deps.db.read, tenantId, id),
  }),
]
