import { z } from 'zod'
import { findClaimSource, listClaimSources } from '../../../db/repos/issuance/claim-sources.ts'
import { notFound } from '../../../shared/errors.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { Uuid } from '../../http/fields.ts'
import { PageQuery, pageOf, toPage } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { presentClaimSource } from './present.ts'
import { createClaimSource, removeClaimSource, replaceClaimSource } from './save.ts'
import { ClaimSourceBody, ClaimSourceView } from './schemas.ts'

const Params = z.object({ id: Uuid })
const access = operators('admin', 'issuer', 'managed-issuer')
const tag = 'Claim sources'
const path = '/v1/claim-sources'

export const claimSourceRoutes = [
  defineAuditedRoute({
    operation: 'createClaimSource',
    summary: 'Create a claim source: a service of yours that is asked for claims during issuance',
    tag,
    method: 'POST',
    path,
    access,
    event: 'CLAIM_SOURCE_CREATE',
    body: ClaimSourceBody,
    status: 201,
    response: ClaimSourceView,
    problems: ['bad_request'],
    async handle({ tenantId, body, deps, change }) {
      return presentClaimSource(await createClaimSource(deps, change, tenantId, body), deps.secrets)
    },
  }),
  defineRoute({
    operation: 'retrieveClaimSources',
    summary: 'List the claim sources',
    tag,
    method: 'GET',
    path,
    access,
    event: 'CLAIM_SOURCE_RETRIEVE_LIST',
    query: PageQuery,
    status: 200,
    response: pageOf(ClaimSourceView),
    problems: ['bad_request'],
    async handle({ tenantId, query, deps }) {
      const rows = await listClaimSources(deps.db.read, tenantId, query.limit, query.cursor)
      return toPage(
        rows,
        query.limit,
        (row) => ({ at: row.createdAt, id: row.id }),
        (row) => presentClaimSource(row, deps.secrets),
      )
    },
  }),
  defineRoute({
    operation: 'retrieveClaimSource',
    summary: 'Retrieve a claim source',
    tag,
    method: 'GET',
    path: `${path}/:id`,
    access,
    event: 'CLAIM_SOURCE_RETRIEVE',
    params: Params,
    status: 200,
    response: ClaimSourceView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, deps }) {
      const row = await findClaimSource(deps.db.read, tenantId, params.id)
      if (!row) throw notFound('id', params.id)
      return presentClaimSource(row, deps.secrets)
    },
  }),
  defineAuditedRoute({
    operation: 'updateClaimSource',
    summary: 'Replace a claim source',
    tag,
    method: 'PUT',
    path: `${path}/:id`,
    access,
    event: 'CLAIM_SOURCE_UPDATE',
    params: Params,
    body: ClaimSourceBody,
    status: 200,
    response: ClaimSourceView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, body, deps, change }) {
      return presentClaimSource(await replaceClaimSource(deps, change, tenantId, params.id, body), deps.secrets)
    },
  }),
  defineAuditedRoute({
    operation: 'deleteClaimSource',
    summary: 'Delete a claim source that no configuration names',
    tag,
    method: 'DELETE',
    path: `${path}/:id`,
    access,
    event: 'CLAIM_SOURCE_DELETE',
    params: Params,
    status: 204,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ tenantId, params, change }) {
      await removeClaimSource(change, tenantId, params.id)
    },
  }),
]
