import { z } from 'zod'
import { findStored, listStored, type StoredCredentialRow } from '../../../db/repos/credentials/stored.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { PageQuery } from '../../http/page.ts'
import { operators } from '../../http/route.ts'
import { Vct } from '../../issuance/configurations/sd-jwt-configuration.ts'
import { presentStoredWebSemantic, WebSemanticView } from './present.ts'
import { presentStoredSdJwt, StoredSdJwtView } from './present-sd-jwt.ts'

const access = operators('admin', 'issuer', 'managed-issuer')

const webSemantic: Collection<StoredCredentialRow> = {
  tag: 'Web semantic',
  access,
  path: '/v2/credentials/web-semantic',
  id: 'id',
  events: 'CREDENTIAL_WEB_SEMANTIC',
  view: WebSemanticView,
  present: presentStoredWebSemantic,
}

const sdJwt: Collection<StoredCredentialRow> = {
  tag: 'SD-JWT VC',
  access,
  path: '/v2/credentials/sd-jwt',
  id: 'id',
  events: 'SD_JWT_CREDENTIAL',
  view: StoredSdJwtView,
  present: presentStoredSdJwt,
}

const Label = z.string().max(200).exactOptional()

const StoredQuery = PageQuery.extend({
  tag: Label.describe('Only credentials with this tag'),
  type: Label.describe('Only credentials that have this type'),
})

const StoredSdJwtQuery = PageQuery.extend({
  type: Vct.exactOptional().describe('Only credentials of this type (`vct`)'),
})

export const storedCredentialRoutes = [
  listOf(webSemantic, {
    operation: 'retrieveWebSemanticCredentials',
    summary:
      'List the stored web semantic credentials. Credentials are stored if their request or configuration has `persist`.',
    query: StoredQuery,
    rows: ({ tenantId, query, deps }) => listStored(deps.db.read, tenantId, 'web-semantic', query),
  }),
  retrieve(webSemantic, {
    operation: 'retrieveWebSemanticCredential',
    summary: 'Retrieve a stored web semantic credential',
    find: ({ tenantId, id, deps }) => findStored(deps.db.read, tenantId, id, 'web-semantic'),
  }),
  listOf(sdJwt, {
    operation: 'retrieveSdJwtCredentials',
    summary: 'List the stored SD-JWT VCs. Credentials are stored if their configuration has `persist`.',
    query: StoredSdJwtQuery,
    rows: ({ tenantId, query, deps }) => listStored(deps.db.read, tenantId, 'sd-jwt', query),
  }),
  retrieve(sdJwt, {
    operation: 'retrieveSdJwtCredential',
    summary: 'Retrieve a stored SD-JWT VC with all its disclosures',
    find: ({ tenantId, id, deps }) => findStored(deps.db.read, tenantId, id, 'sd-jwt'),
  }),
]
