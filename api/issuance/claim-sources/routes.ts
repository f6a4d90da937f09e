import { z } from 'zod'
import { type ClaimSourceRow, findClaimSource, listClaimSources } from '../../../db/repos/issuance/claim-sources.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Versioned } from '../../http/collection.ts'
import { idOf } from '../../http/fields.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { presentClaimSource } from './present.ts'
import { createClaimSource, removeClaimSource, replaceClaimSource } from './save.ts'
import { ClaimSourceBody, ClaimSourceTestView, ClaimSourceUser, ClaimSourceView, NewClaimSource } from './schemas.ts'
import { trySource } from './try-source.ts'

const sources: Versioned<ClaimSourceRow> = {
  tag: 'Claim sources',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v1/claim-sources',
  id: 'id',
  events: 'CLAIM_SOURCE',
  view: ClaimSourceView,
  hasVersions: true,
  present: (row, { deps }) => presentClaimSource(row, deps.secrets),
}

export const claimSourceRoutes = [
  ...auditedCrudOf(sources, {
    name: 'ClaimSource',
    create: {
      summary: 'Create a claim source: a service that provides claims during issuance',
      body: NewClaimSource,
      handle: ({ tenantId, body, deps, change }) => createClaimSource(deps, change, tenantId, body),
    },
    list: { summary: 'List the claim sources', rows: listClaimSources },
    retrieve: { summary: 'Retrieve a claim source', find: findClaimSource },
    update: {
      summary: 'Replace a claim source',
      body: ClaimSourceBody,
      handle: ({ tenantId, id, body, deps, change, requireMatch }) =>
        replaceClaimSource(deps, change, { tenantId, id, body, requireMatch }),
    },
    delete: {
      summary: 'Delete a claim source that no configuration uses',
      problems: ['conflict'],
      remove: (tx, { tenantId, id }) => removeClaimSource(tx, tenantId, id),
    },
  }),
  defineRoute({
    operation: 'testClaimSource',
    changesTenant: false,
    summary: 'Test a claim source: request the claims of a person with this data. Nothing is stored',
    tag: sources.tag,
    method: 'POST',
    path: `${sources.path}/:id/test`,
    access: sources.access,
    event: 'CLAIM_SOURCE_TEST',
    params: z.object({ id: idOf('claim source') }),
    body: ClaimSourceUser,
    status: 200,
    response: ClaimSourceTestView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id }, body, deps }) {
      const source = await findClaimSource(deps.db.read, tenantId, id)
      if (!source) throw notFound('id', id)
      return trySource(deps, source, body)
    },
  }),
]
