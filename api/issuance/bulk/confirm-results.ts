import { z } from 'zod'
import { hold } from '../../../db/hold.ts'
import { showCodesUntil } from '../../../db/repos/issuance/bulk/bulk-runs.ts'
import { bulkIssuances } from '../../../db/tables/issuance/bulk-issuances.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { rowReaders } from '../../access/shown-to.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { idOf } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'

/** The client confirms that it has stored the results. Only the client knows whether a download arrived. */
export const confirmBulkResultsRoute = defineAuditedRoute({
  operation: 'confirmBulkResults',
  summary: 'Confirm that the results with transaction codes are stored. Later downloads have no codes',
  tag: 'Bulk issuance',
  access: operators(...rowReaders),
  method: 'POST',
  path: '/v1/bulk-issuances/:id/results/received',
  event: 'BULK_ISSUANCE_RESULT_CONFIRM',
  params: z.object({ id: idOf('bulk issuance') }),
  needs: { id: { mode: ['links'], state: ['done', 'cancelled'] } },
  status: 204,
  problems: ['bad_request', 'not_found', 'conflict'],
  async handle({ deps, tenantId, params: { id }, change, commitAnswer }) {
    const at = deps.clock.now()
    await change(async (tx, record) => {
      const bulk = await hold(tx, bulkIssuances, tenantId, id)
      if (!bulk || bulk.state === 'removed') throw notFound('id', id)
      if (bulk.mode !== 'links') throw new Problem('conflict', { message: 'The results have no transaction codes.' })
      if (bulk.endedAt === null) throw new Problem('conflict', { message: `${notEnded} It is ${bulk.state}.` })
      await showCodesUntil(tx, tenantId, id, at)
      record(tenantId, { id })
      await commitAnswer(tx, undefined)
    })
  },
})

const notEnded = 'The results are incomplete until the bulk issuance has ended. Download and confirm them after that.'
