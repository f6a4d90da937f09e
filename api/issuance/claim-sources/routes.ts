import { type ClaimSourceRow, findClaimSource, listClaimSources } from '../../../db/repos/issuance/claim-sources.ts'
import { createAudited, removeAudited, replaceAudited } from '../../audit/audited-crud.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { operators } from '../../http/route.ts'
import { presentClaimSource } from './present.ts'
import { createClaimSource, removeClaimSource, replaceClaimSource } from './save.ts'
import { ClaimSourceBody, ClaimSourceView } from './schemas.ts'

const sources: Collection<ClaimSourceRow> = {
  tag: 'Claim sources',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v1/claim-sources',
  id: 'id',
  events: 'CLAIM_SOURCE',
  view: ClaimSourceView,
  present: (row, { deps }) => presentClaimSource(row, deps.secrets),
}

export const claimSourceRoutes = [
  createAudited(sources, {
    operation: 'createClaimSource',
    summary: 'Create a claim source: a service of yours that is asked for claims during issuance',
    body: ClaimSourceBody,
    handle: ({ tenantId, body, deps, change }) => createClaimSource(deps, change, tenantId, body),
  }),
  listOf(sources, {
    operation: 'retrieveClaimSources',
    summary: 'List the claim sources',
    rows: ({ tenantId, query, deps }) => listClaimSources(deps.db.read, tenantId, query.limit, query.cursor),
  }),
  retrieve(sources, {
    operation: 'retrieveClaimSource',
    summary: 'Retrieve a claim source',
    find: ({ tenantId, id, deps }) => findClaimSource(deps.db.read, tenantId, id),
  }),
  replaceAudited(sources, {
    operation: 'updateClaimSource',
    summary: 'Replace a claim source',
    body: ClaimSourceBody,
    handle: ({ tenantId, id, body, deps, change }) => replaceClaimSource(deps, change, tenantId, id, body),
  }),
  removeAudited(sources, {
    operation: 'deleteClaimSource',
    summary: 'Delete a claim source that no configuration names',
    problems: ['conflict'],
    remove: (tx, { tenantId, id }) => removeClaimSource(tx, tenantId, id),
  }),
]
