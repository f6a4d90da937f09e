import { z } from 'zod'
import { type ApprovalRow, findApproval, listApprovals } from '../../db/repos/operations/approvals.ts'
import { notFound } from '../../shared/errors/errors.ts'
import { defineAuditedRoute } from '../audit/define-audited-route.ts'
import type { Collection } from '../http/collection.ts'
import { listOf } from '../http/crud.ts'
import { idOf } from '../http/fields.ts'
import { defineRoute, operators, type Route } from '../http/route.ts'
import { approve, reject } from './decide.ts'
import { presentApproval, presentWithAnswer } from './present.ts'
import { ApprovalsQuery, ApprovalView } from './schemas.ts'

const approvals: Collection<ApprovalRow> = {
  tag: 'Approvals',
  access: operators('admin', 'approver', 'issuer', 'managed-issuer'),
  path: '/v1/approvals',
  id: 'id',
  events: 'APPROVAL',
  view: ApprovalView,
  present: (row, { deps, caller }) => presentApproval(row, caller ?? {}, deps.clock.now()),
}

const Params = z.object({ id: idOf('approval') })

const decision = {
  tag: approvals.tag,
  access: operators('admin', 'approver'),
  method: 'POST',
  params: Params,
  needs: { id: { state: ['waiting'] } },
  status: 200,
  response: ApprovalView,
} as const

/** Returns the routes of approvals. Approved requests are executed by `routes`. */
export function approvalRoutes(routes: () => readonly Route[]): Route[] {
  return [
    listOf(approvals, {
      operation: 'retrieveApprovals',
      summary: 'List the requests that needed an approval',
      query: ApprovalsQuery,
      rows: ({ tenantId, query, deps }) => listApprovals(deps.db.read, tenantId, query),
    }),
    defineRoute({
      operation: 'retrieveApproval',
      summary: 'Retrieve a request that needed an approval, and its answer',
      tag: approvals.tag,
      method: 'GET',
      path: '/v1/approvals/:id',
      access: approvals.access,
      event: 'APPROVAL_RETRIEVE',
      params: Params,
      status: 200,
      response: ApprovalView,
      problems: ['bad_request', 'not_found'],
      async handle({ tenantId, params: { id }, caller, deps }) {
        const row = await findApproval(deps.db.read, tenantId, id)
        if (!row) throw notFound('id', id)
        return presentWithAnswer(row, caller, deps)
      },
    }),
    defineAuditedRoute({
      ...decision,
      operation: 'approveRequest',
      summary: 'Approve the request of another person or program. It is executed at once',
      path: '/v1/approvals/:id/approve',
      event: 'APPROVAL_APPROVE',
      problems: ['bad_request', 'not_found', 'conflict'],
      async handle(call) {
        const row = await approve(call, call.params.id, routes())
        return presentApproval(row, call.caller, call.deps.clock.now())
      },
    }),
    defineAuditedRoute({
      ...decision,
      operation: 'rejectRequest',
      summary: 'Reject a request that waits for an approval. The sender can withdraw an own request',
      path: '/v1/approvals/:id/reject',
      event: 'APPROVAL_REJECT',
      problems: ['bad_request', 'not_found', 'conflict'],
      async handle(call) {
        const row = await reject(call, call.params.id)
        return presentApproval(row, call.caller, call.deps.clock.now())
      },
    }),
  ]
}
