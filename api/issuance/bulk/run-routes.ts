import { z } from 'zod'
import type { Writer } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import { addToOutbox } from '../../../db/outbox.ts'
import { type BulkIssuanceRow, findBulkIssuance } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { moveBulk, startRun } from '../../../db/repos/issuance/bulk/bulk-runs.ts'
import { bulkIssuances } from '../../../db/tables/issuance/bulk-issuances.ts'
import {
  type BulkIssuanceState,
  bulkKeptUntil,
  bulkRunId,
  bulkRunPriority,
} from '../../../shared/domain/issuance/bulk-issuances.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { rowReaders } from '../../access/shown-to.ts'
import type { Tenant } from '../../access/subjects.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import type { Deps } from '../../deps.ts'
import { idOf } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'
import { presentBulk } from './present.ts'
import { BulkIssuanceView } from './schemas.ts'

interface Step {
  /** The verb in the path and in the name of the event. */
  verb: 'start' | 'pause' | 'resume' | 'cancel' | 'retry'
  summary: string
  /** The states in which it is possible. */
  from: BulkIssuanceState[]
  /** Returns undefined if the bulk issuance is in no such state. */
  run(tx: Writer, tenantId: string, id: string, at: Date): Promise<BulkIssuanceRow | undefined>
}

/** Pauses or ends it. It is kept as long as its claim links can be renewed. */
function moved(from: BulkIssuanceState[], state: 'paused' | 'cancelled'): Step['run'] {
  return async (tx, tenantId, id, at) => {
    const bulk = await hold(tx, bulkIssuances, tenantId, id)
    if (!bulk) return undefined
    const expiresAt = bulkKeptUntil(bulk, at)
    // The progress of a cancelled one is the last row whose claims are removed.
    const ended = state === 'cancelled' && { endedAt: at, progress: 0 }
    return moveBulk(tx, tenantId, id, { from, state, expiresAt, ...ended })
  }
}

/** Starts a run, and its job. */
function started(from: BulkIssuanceState[], issues?: 'valid' | 'failed'): Step['run'] {
  return async (tx, tenantId, id, at) => {
    const row = await startRun(tx, tenantId, id, { from, at, ...(issues && { issues }) })
    if (!row) return undefined
    const payload = { tenantId, bulkId: id, run: row.run }
    await addToOutbox(tx, 'issueBulk', [{ id: bulkRunId(id, row.run), payload, priority: bulkRunPriority }], at)
    return row
  }
}

const steps: Step[] = [
  {
    verb: 'start',
    summary: 'Issue the valid rows of a bulk issuance that was only validated',
    from: ['ready'],
    run: started(['ready'], 'valid'),
  },
  {
    verb: 'pause',
    summary: 'Pause a bulk issuance after the portion that is being issued',
    from: ['running'],
    run: moved(['running'], 'paused'),
  },
  {
    verb: 'resume',
    summary: 'Continue a paused bulk issuance',
    from: ['paused'],
    run: started(['paused']),
  },
  {
    verb: 'cancel',
    summary:
      'Cancel a bulk issuance. Its issued credentials and its links stay valid, and the claims of the other rows are removed',
    from: ['validating', 'ready', 'running', 'paused'],
    async run(tx, tenantId, id, at) {
      const from: BulkIssuanceState[] = ['validating', 'ready', 'running', 'paused']
      const row = await moved(from, 'cancelled')(tx, tenantId, id, at)
      if (row) await addToOutbox(tx, 'wipeBulk', [{ id: `${id}-wipe`, payload: { tenantId, bulkId: id } }], at)
      return row
    },
  },
  {
    verb: 'retry',
    summary: 'Issue the rows again that could not be signed',
    from: ['done'],
    run: started(['done'], 'failed'),
  },
]

export const bulkRunRoutes = steps.map(({ verb, summary, from, run }) =>
  defineAuditedRoute({
    operation: `${verb}BulkIssuance`,
    summary,
    tag: 'Bulk issuance',
    access: operators(...rowReaders),
    method: 'POST',
    path: `/v1/bulk-issuances/:id/${verb}`,
    event: `BULK_ISSUANCE_${verb.toUpperCase()}`,
    params: z.object({ id: idOf('bulk issuance') }),
    needs: { id: { state: from } },
    status: 200,
    response: BulkIssuanceView,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ deps, tenant, tenantId, caller, params: { id }, change }) {
      const at = deps.clock.now()
      const row = await change(async (tx, record) => {
        const moved = await run(tx, tenantId, id, at)
        if (!moved) throw await refusal(tx, tenantId, id, from)
        if (verb === 'start') requireApproved(deps, tenant, moved)
        record(tenantId, { id })
        return moved
      })
      deps.bus.poke()
      return presentBulk(row, at, caller)
    },
  }),
)

/** Throws `conflict` if the start needs an approval: the file can be validated after the check of the request (api/approvals). */
function requireApproved({ approvalId }: Deps, { settings }: Tenant, { valid }: BulkIssuanceRow): void {
  if (approvalId !== undefined || valid <= (settings.approvals.bulkIssuances ?? Infinity)) return
  const message = 'Another person must approve the start. Send the request again.'
  throw new Problem('conflict', { message })
}

async function refusal(tx: Writer, tenantId: string, id: string, from: BulkIssuanceState[]): Promise<Problem> {
  const bulk = await findBulkIssuance(tx, tenantId, id)
  if (!bulk) return notFound('id', id)
  const message = `The state of the bulk issuance is ${bulk.state}. Only one in these states can be changed in this way: ${from.join(', ')}.`
  return new Problem('conflict', { message })
}
