import { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { listBulkRows } from '../../../db/repos/issuance/bulk/bulk-rows.ts'
import { keepForLink } from '../../../db/repos/issuance/bulk/bulk-runs.ts'
import { findClaimLinkOfRow } from '../../../db/repos/issuance/claim-links/claim-links.ts'
import { revokeClaimLinks } from '../../../db/repos/issuance/claim-links/claim-links-of-bulk.ts'
import { holdConfigurationsOfBulk, renewClaimLink } from '../../../db/repos/issuance/claim-links/renewed-claim-links.ts'
import { plusMs } from '../../../shared/clock.ts'
import { defaultClaimLinkMs } from '../../../shared/domain/issuance/claim-links.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { rowReaders } from '../../access/shown-to.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { idOf } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'
import { holdBulkOfLinks, missingOfLinks } from './bulk-of-links.ts'
import { LinkRenewal, RenewedLinkView, RowNumber } from './link-schemas.ts'

const access = operators(...rowReaders)
const tag = 'Bulk issuance'
const path = '/v1/bulk-issuances/:id/rows/:row/link'
const params = z.object({ id: idOf('bulk issuance'), row: RowNumber })
const needs = { id: { mode: ['links'] } }

export const bulkLinkRoutes = [
  defineAuditedRoute({
    operation: 'renewBulkLink',
    summary:
      'Give the claim link of a row a new address, a new transaction code and a new end. The old address is then invalid',
    ...{ tag, access, path, params, needs },
    method: 'POST',
    event: 'BULK_ISSUANCE_LINK_RENEW',
    body: LinkRenewal,
    status: 200,
    creates: true,
    response: RenewedLinkView,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ deps, tenant, params, body, change, commitAnswer, attribute: about }) {
      const { id, row } = rowOf(params)
      about(id)
      const { secrets, clock } = deps
      const at = clock.now()
      return change(async (tx, record) => {
        const missing = await holdConfigurationsOfBulk(tx, tenant.id, id)
        const bulk = await holdBulkOfLinks(tx, tenant.id, id)
        const expiresAt = plusMs(at, body.expiresIn ?? (bulk.linkSeconds ?? defaultClaimLinkMs / 1_000) * 1_000)
        const link = await renewClaimLink(tx, tenant, { bulkId: id, row, expiresAt }, { secrets, at })
        if (!link) throw await refusal(tx, bulk, row)
        if (missing !== undefined) throw missingOfLinks(missing)
        await keepForLink(tx, bulk, { until: expiresAt, at })
        record(tenant.id, { id, row, expiresAt: expiresAt.toISOString() })
        const { address, transactionCode } = link
        const view = {
          row,
          link: address,
          ...(transactionCode !== undefined && { transactionCode }),
          expiresAt: expiresAt.toISOString(),
        }
        await commitAnswer(tx, view)
        return view
      })
    },
  }),
  defineAuditedRoute({
    operation: 'revokeBulkLink',
    summary: 'Revoke the claim link of a row. It can be renewed',
    ...{ tag, access, path, params, needs },
    method: 'DELETE',
    event: 'BULK_ISSUANCE_LINK_REVOKE',
    status: 204,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ deps, tenantId, params, change, attribute: about }) {
      const { id, row } = rowOf(params)
      about(id)
      const at = deps.clock.now()
      await change(async (tx, record) => {
        record(tenantId, { id, row })
        const bulk = await holdBulkOfLinks(tx, tenantId, id)
        if ((await revokeClaimLinks(tx, tenantId, id, { rows: [row] }, at)) === 1) return
        const link = await findClaimLinkOfRow(tx, tenantId, id, row)
        if (link?.state !== 'revoked') throw await refusal(tx, bulk, row)
      })
    },
  }),
]

function rowOf({ id, row }: z.infer<typeof params>) {
  return { id, row: Number(row) }
}

async function refusal(db: Reader, { tenantId, id, mode }: BulkIssuanceRow, row: number): Promise<Problem> {
  const link = await findClaimLinkOfRow(db, tenantId, id, row)
  if (link)
    return new Problem('conflict', { message: 'A credential was collected with the link. It cannot be changed.' })
  const [rowAtPosition] = await listBulkRows(db, tenantId, id, { cursor: row - 1, limit: 1 })
  if (rowAtPosition?.row !== row) return notFound('row', String(row))
  const reason =
    mode === 'sign' ? 'The mode of the bulk issuance is sign.' : `The state of the row is ${rowAtPosition.state}.`
  return new Problem('conflict', { message: `The row has no link. ${reason}` })
}
