import { z } from 'zod'
import { addToOutbox } from '../../../db/outbox.ts'
import { setLinkRenewal } from '../../../db/repos/issuance/bulk/bulk-runs.ts'
import { holdConfigurationsOfBulk } from '../../../db/repos/issuance/claim-links/renewed-claim-links.ts'
import type { RenewalOfExpired } from '../../../db/tables/issuance/bulk-issuances.ts'
import { linkRenewalEvent } from '../../../shared/domain/issuance/bulk-issuances.ts'
import { defaultClaimLinkMs } from '../../../shared/domain/issuance/claim-links.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { newId } from '../../../shared/ids.ts'
import { rowReaders } from '../../access/shown-to.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { idOf } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'
import { holdBulkOfLinks, missingOfLinks } from './bulk-of-links.ts'
import { LinkRenewal, LinkRenewalView } from './link-schemas.ts'
import { presentLinkRenewal } from './present.ts'

export const renewExpiredBulkLinksRoute = defineAuditedRoute({
  operation: 'renewExpiredBulkLinks',
  summary:
    'Renew all expired claim links of a bulk issuance. `linkRenewal` of the bulk issuance has the progress. While a renewal runs, the answer is that renewal',
  tag: 'Bulk issuance',
  access: operators(...rowReaders),
  method: 'POST',
  path: '/v1/bulk-issuances/:id/renew-expired-links',
  event: linkRenewalEvent,
  params: z.object({ id: idOf('bulk issuance') }),
  needs: { id: { mode: ['links'] } },
  body: LinkRenewal,
  status: 202,
  response: LinkRenewalView,
  problems: ['bad_request', 'not_found', 'conflict'],
  async handle({ deps, tenantId, params: { id }, body, requestId, caller, change, commitAnswer, attribute: about }) {
    about(id)
    const at = deps.clock.now()
    const view = await change(async (tx, record) => {
      const missing = await holdConfigurationsOfBulk(tx, tenantId, id)
      const bulk = await holdBulkOfLinks(tx, tenantId, id)
      if (bulk.mode !== 'links') throw new Problem('conflict', { message: withoutLinks })
      if (missing !== undefined) throw missingOfLinks(missing)
      const seconds = body.expiresIn ?? bulk.linkSeconds ?? defaultClaimLinkMs / 1_000
      const { clientId, managementUserId } = caller
      const running = bulk.linkRenewal?.state === 'running' ? bulk.linkRenewal : undefined
      const renewal = running
        ? requireSameEnd(running, seconds)
        : newRenewal(at, seconds, { requestId, clientId, managementUserId }, bulk.linkRenewal)
      if (!running) {
        await setLinkRenewal(tx, bulk, { linkRenewal: renewal })
        const payload = { tenantId, bulkId: id, renewalId: renewal.id }
        await addToOutbox(tx, 'renewExpiredLinks', [{ id: renewal.id, payload }], at)
      }
      record(tenantId, { id, expiresAt: new Date(renewal.expiresAt).toISOString() })
      const answer = presentLinkRenewal(renewal)
      await commitAnswer(tx, answer)
      return answer
    })
    deps.bus.poke()
    return view
  },
})

const withoutLinks = 'The mode of the bulk issuance is sign. It has no links.'

/** Codes that the results did not have before the renewal stay out of them. */
function newRenewal(
  at: Date,
  seconds: number,
  request: RenewalOfExpired['request'],
  former: RenewalOfExpired | null,
): RenewalOfExpired {
  const requestedAt = at.getTime()
  const { endsWithCodes } = former ?? {}
  const begun = { state: 'running' as const, row: 0, renewed: 0, ...(endsWithCodes && { endsWithCodes }) }
  return { id: newId(), ...begun, requestedAt, expiresAt: requestedAt + seconds * 1_000, request }
}

/** Returns the renewal that runs. Throws `conflict` if its links get another lifetime. */
function requireSameEnd(renewal: RenewalOfExpired, seconds: number): RenewalOfExpired {
  if (renewal.expiresAt - renewal.requestedAt === seconds * 1_000) return renewal
  const message = 'A renewal with another `expiresIn` is running. Wait until it has ended.'
  throw new Problem('conflict', { message })
}
