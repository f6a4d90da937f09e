import { z } from 'zod'
import { type ErasureRow, findErasure, listErasures } from '../../../db/repos/operations/erasures.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { idOf } from '../../http/fields.ts'
import { PageQuery, pageOf, toPage } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { proveInLast } from './proofs.ts'
import { ErasureView, ProvenErasureView } from './schemas.ts'

const shared = { tag: 'Users', method: 'GET', status: 200, access: operators('admin') } as const

export const erasureRoutes = [
  defineRoute({
    ...shared,
    operation: 'retrieveErasures',
    summary: 'List the erasures of users with their receipts, oldest first',
    path: '/v1/erasures',
    event: 'ERASURE_RETRIEVE_LIST',
    query: PageQuery,
    response: pageOf(ErasureView),
    problems: ['bad_request'],
    async handle({ tenantId, query, deps }) {
      const rows = await listErasures(deps.db.read, tenantId, query)
      return toPage(rows, query.limit, ({ id, createdAt }) => ({ at: createdAt, id }), presentErasure)
    },
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveErasure',
    summary: 'Retrieve the receipt of an erasure, with the proof that the last checkpoint of the audit covers it',
    path: '/v1/erasures/:id',
    event: 'ERASURE_RETRIEVE',
    params: z.object({ id: idOf('erasure') }),
    response: ProvenErasureView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id }, deps }) {
      const row = await findErasure(deps.db.read, tenantId, id)
      if (!row) throw notFound('id', id)
      const proof = row.auditNumber === null ? undefined : await proveInLast(deps, tenantId, row.auditNumber)
      return { ...presentErasure(row), ...(proof && { proof }) }
    },
  }),
]

function presentErasure({ id, createdAt, receipt }: ErasureRow) {
  return { id, createdAt: createdAt.toISOString(), ...(receipt !== null && { receipt }) }
}
