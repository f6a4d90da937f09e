import type { Writer } from '../../../db/client.ts'
import { holdColumns } from '../../../db/hold.ts'
import { removeFromOutbox } from '../../../db/outbox.ts'
import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { keepForLink, setLinkRenewal } from '../../../db/repos/issuance/bulk/bulk-runs.ts'
import { findNextExpired } from '../../../db/repos/issuance/claim-links/listed-claim-links.ts'
import {
  holdConfigurationsOfBulk,
  renewClaimLinks,
} from '../../../db/repos/issuance/claim-links/renewed-claim-links.ts'
import { appendToAudit } from '../../../db/repos/operations/audit/audit.ts'
import { auditEntry } from '../../../db/repos/operations/audit/audited.ts'
import { findTenant } from '../../../db/repos/tenancy/tenants.ts'
import { bulkIssuances, type RenewalOfExpired } from '../../../db/tables/issuance/bulk-issuances.ts'
import { linkRenewalEvent, renewalPortion } from '../../../shared/domain/issuance/bulk-issuances.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import { isReadOnly, readOnlyPauseMs } from '../../jobs/read-only.ts'
import { minPauseMs, runUntil } from '../../jobs/run-until.ts'
import { createTimeSlices } from '../../jobs/time-slices.ts'
import { Postpone } from '../../serve.ts'
import type { BulkDeps } from './validate-bulk.ts'

/** After this time the job is queued again, so that other upkeep jobs and the renewals of other tenants can run. */
const maxTimeSliceMs = 1_000

/** Returns the handler of the job. A process renews the links of one bulk issuance at a time. */
export function createRenewLinks(
  deps: BulkDeps,
  timeSliceMs = maxTimeSliceMs,
): (payload: Payload<'renewExpiredLinks'>) => Promise<void> {
  const slices = createTimeSlices(1)
  return (payload) =>
    slices.take({ tenantId: payload.tenantId, id: payload.renewalId }, async () => {
      const pauseMs = await runUntil(() => renewNextPortion(deps, payload), performance.now() + timeSliceMs)
      if (pauseMs !== undefined) throw new Postpone(pauseMs < readOnlyPauseMs ? 0 : pauseMs)
    })
}

/**
 * Renews the next expired links and stores the progress, in one transaction that locks the bulk issuance. Therefore a killed worker leaves
 * whole portions, and two workers renew each link once. Waits while the tenant is read-only. Returns the pause before the next portion, or
 * undefined if nothing is left.
 */
async function renewNextPortion(
  deps: Pick<BulkDeps, 'db' | 'clock' | 'secrets'>,
  { tenantId, bulkId, renewalId }: Payload<'renewExpiredLinks'>,
): Promise<number | undefined> {
  return deps.db.tx(async (tx) => {
    if (await isReadOnly(tx, tenantId)) return readOnlyPauseMs
    const missing = await holdConfigurationsOfBulk(tx, tenantId, bulkId)
    const bulk = await holdColumns(tx, bulkIssuances, tenantId, bulkId)
    const renewal = bulk && runningRenewal(bulk, renewalId)
    const isFailed = missing !== undefined
    if (renewal && (await renewPortion(tx, { ...deps, bulk, renewal, isFailed }))) return minPauseMs
    await removeFromOutbox(tx, [renewalId])
    return undefined
  })
}

function runningRenewal({ state, linkRenewal }: BulkIssuanceRow, id: string): RenewalOfExpired | undefined {
  const isRunning = linkRenewal?.id === id && linkRenewal.state === 'running' && state !== 'removed'
  return isRunning ? linkRenewal : undefined
}

interface Portion extends Pick<BulkDeps, 'clock' | 'secrets'> {
  bulk: BulkIssuanceRow
  renewal: RenewalOfExpired
  /** A configuration or the view of the links was deleted. */
  isFailed: boolean
}

/** Returns whether rows are left. */
async function renewPortion(tx: Writer, { bulk, renewal, isFailed, clock, secrets }: Portion): Promise<boolean> {
  const { id, tenantId } = bulk
  const at = clock.now()
  if (isFailed) {
    await setLinkRenewal(tx, bulk, { linkRenewal: { ...renewal, state: 'failed', endedAt: at.getTime() } })
    return false
  }
  const tenant = await findTenant(tx, tenantId)
  if (!tenant) return false
  const from = { after: renewal.row, limit: renewalPortion }
  const next = await findNextExpired(tx, tenantId, id, from, new Date(renewal.requestedAt))
  const expiresAt = new Date(renewal.expiresAt)
  const links = await renewClaimLinks(tx, tenant, { bulkId: id, rows: next.rows, expiresAt }, { secrets, at })
  if (links.length > 0) {
    await keepForLink(tx, bulk, { until: expiresAt, at })
    const rows = links.map(({ row }) => row)
    const by = { ...renewal.request, event: linkRenewalEvent }
    await appendToAudit(tx, [auditEntry(by, tenantId, { id, rows, expiresAt: expiresAt.toISOString() })], at)
  }
  const progress = { ...renewal, row: next.row, renewed: renewal.renewed + links.length }
  await setLinkRenewal(tx, bulk, next.isLast ? ended(bulk, progress, at) : { linkRenewal: progress })
  return !next.isLast
}

/**
 * Returns the columns of a renewal that has ended. The results then have the transaction codes of the renewed links, and those of the other
 * links if no download of them has begun before.
 */
function ended(
  { transactionCode, codesShownUntil }: Pick<BulkIssuanceRow, 'transactionCode' | 'codesShownUntil'>,
  renewal: RenewalOfExpired,
  at: Date,
) {
  const last = { ...renewal, state: 'done' as const, endedAt: at.getTime() }
  if (transactionCode === null || renewal.renewed === 0) return { linkRenewal: last }
  // After a download, the results have no earlier codes.
  const earlier = codesShownUntil === null ? renewal.endsWithCodes : []
  return {
    linkRenewal: { ...last, ...(earlier && { endsWithCodes: [...earlier, renewal.expiresAt] }) },
    codesShownUntil: null,
  }
}
