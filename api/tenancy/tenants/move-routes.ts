import { z } from 'zod'
import type { Writer } from '../../../db/client.ts'
import { holdTenant } from '../../../db/hold.ts'
import { changeMove, findRunningWork, type RunningWork } from '../../../db/repos/tenancy/moves.ts'
import type { TenantRow } from '../../../db/repos/tenancy/tenants.ts'
import { answersReadsOnly, isServed } from '../../../db/tables/tenancy/tenants.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { forgetTenant } from '../../access/tenant.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { idOf } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'
import { TenantMoveView } from './schemas.ts'

const ofMove = {
  tag: 'Tenants',
  host: 'platform',
  access: operators('platform'),
  path: '/v1/tenants/:tenantId/move',
  params: z.object({ tenantId: idOf('tenant') }),
  status: 200,
  response: TenantMoveView,
  problems: ['bad_request', 'not_found', 'conflict'],
} as const

export const moveRoutes = [
  defineAuditedRoute({
    ...ofMove,
    operation: 'startTenantMove',
    summary: 'Make a tenant read-only, because it moves to another installation',
    method: 'POST',
    event: 'TENANT_MOVE_START',
    problems: [...ofMove.problems],
    async handle({ tenantId: platformId, params: { tenantId }, deps, change }) {
      const moving = await change(async (tx, record) => {
        const tenant = await holdMovable(tx, tenantId)
        const work = await findRunningWork(tx, tenantId)
        if (work) throw unfinished(work)
        const row = await changeMove(tx, tenantId, { from: 'active', to: 'moving' })
        if (!row) throw new Problem('conflict', { message: 'The tenant moves already.' })
        for (const chain of [platformId, tenantId]) record(chain, { id: tenant.id })
        return row
      })
      forgetTenant(deps, tenantId)
      return present(moving)
    },
  }),
  defineAuditedRoute({
    ...ofMove,
    operation: 'endTenantMove',
    summary: 'Let a read-only tenant change again, because it does not move',
    method: 'DELETE',
    event: 'TENANT_MOVE_END',
    problems: [...ofMove.problems],
    async handle({ tenantId: platformId, params: { tenantId }, deps, change }) {
      const active = await change(async (tx, record) => {
        const tenant = await holdMovable(tx, tenantId)
        const row = await changeMove(tx, tenantId, { from: 'moving', to: 'active' })
        if (!row) throw new Problem('conflict', { message: 'The tenant does not move.' })
        for (const chain of [platformId, tenantId]) record(chain, { id: tenant.id })
        return row
      })
      forgetTenant(deps, tenantId)
      return present(active)
    },
  }),
]

function present({ id, state }: TenantRow) {
  return { id, isReadOnly: answersReadsOnly({ state }) }
}

/** Holds the tenant. Throws `not_found` for the platform and a tenant that answers no requests, and `conflict` for a moved tenant. */
async function holdMovable(tx: Writer, tenantId: string): Promise<TenantRow> {
  const tenant = await holdTenant(tx, tenantId)
  if (tenant?.kind !== 'tenant' || !isServed(tenant)) throw notFound('tenantId', tenantId, 'GET /v1/tenants')
  if (tenant.state === 'moved') throw new Problem('conflict', { message: hasMoved })
  return tenant
}

const hasMoved =
  'The tenant has moved to another installation, as its proof says. It cannot change here again. Delete it.'

const adviceFor: Record<RunningWork['kind'], string> = {
  'bulk issuance': 'Wait until it is done, or pause or cancel it.',
  'renewal of claim links': 'Wait until it is done.',
  'bulk status change': 'Wait until it is done.',
  approval: 'Approve or reject it first.',
}

function unfinished({ kind, id }: RunningWork): Problem {
  return new Problem('conflict', { message: `The ${kind} ${id} is not finished. ${adviceFor[kind]}` })
}
