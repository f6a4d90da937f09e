import { z } from 'zod'
import { addToOutbox } from '../../../db/outbox.ts'
import { countBulk } from '../../../db/repos/status/bulk-pages.ts'
import { findBulk, insertBulk } from '../../../db/repos/status/bulks.ts'
import { plusMs } from '../../../shared/clock.ts'
import { bulkSettlesMs, bulkStatusEvent, countLimits } from '../../../shared/domain/status/status-bulks.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { newId } from '../../../shared/ids.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { idOf } from '../../http/fields.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { AcceptedStatusChange, BulkView, NewBulk, storedFilter } from './schemas.ts'

const access = operators('admin', 'issuer', 'managed-issuer')
const tag = 'Revocation'

export const bulkStatusRoutes = [
  defineAuditedRoute({
    operation: 'setRevocationStatuses',
    summary:
      'Revoke many credentials, or undo revocations, by id or by filter. A filter finds the credentials issued before the ' +
      'response, and possibly some of those issued within two seconds after it.',
    tag,
    method: 'POST',
    path: '/v2/credentials/revocation-status',
    access,
    event: bulkStatusEvent,
    body: NewBulk,
    bodyLimitBytes: 1_000_000,
    status: 202,
    response: AcceptedStatusChange,
    problems: ['bad_request'],
    async handle({ tenantId, body, deps, requestId, caller, change, commitAnswer }) {
      // The one who asked for an approval knows its id.
      const id = deps.approvalId ?? newId()
      const { isRevoked } = body
      const credentialIds = body.credentials ? [...new Set(body.credentials.map((each) => each.toLowerCase()))] : null
      const filter = body.filter ? storedFilter(body.filter) : null
      const until = plusMs(deps.clock.now(), bulkSettlesMs)
      const total = filter
        ? await countBulk(deps.db.read, tenantId, { filter, until }, countLimits)
        : (credentialIds?.length ?? 0)
      const view = { id, accepted: total }
      await change(async (tx, record) => {
        const createdAt = deps.clock.now()
        const { clientId, managementUserId, name } = caller
        const changedBy = { requestId, clientId, managementUserId, name }
        const begun = { state: 'pending' as const, done: 0, failed: [], progress: null, endedAt: null }
        await insertBulk(tx, { id, tenantId, isRevoked, credentialIds, filter, total, changedBy, createdAt, ...begun })
        await addToOutbox(tx, 'setBulkStatus', [{ id, payload: { tenantId, bulkId: id } }], createdAt)
        record(tenantId, { id, isRevoked, accepted: total, ...(filter && { filter }) })
        await commitAnswer(tx, view)
      })
      deps.bus.poke()
      return view
    },
  }),
  defineRoute({
    operation: 'retrieveRevocationStatuses',
    summary: 'Retrieve the progress of a bulk status change',
    tag,
    method: 'GET',
    path: '/v2/credentials/revocation-status/:id',
    access,
    event: 'CREDENTIAL_REVOCATION_STATUS_BULK_RETRIEVE',
    params: z.object({ id: idOf('bulk') }),
    status: 200,
    response: BulkView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id }, deps }) {
      const bulk = await findBulk(deps.db.read, tenantId, id)
      if (!bulk) throw notFound('id', id)
      return bulk
    },
  }),
]
