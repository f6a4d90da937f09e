import type { Writer } from '../../../db/client.ts'
import { hold, holdTenant } from '../../../db/hold.ts'
import { finishRows, holdUsersShared } from '../../../db/repos/issuance/bulk/bulk-rows.ts'
import { advanceRun } from '../../../db/repos/issuance/bulk/bulk-runs.ts'
import type { ClaimLinkRow } from '../../../db/repos/issuance/claim-links/claim-links.ts'
import { insertClaimLinks, newClaimLinkRow } from '../../../db/repos/issuance/claim-links/new-claim-links.ts'
import { findConfigurationSigners, type SigningFault } from '../../../db/repos/issuance/configuration-signers.ts'
import { findConfiguration, holdConfiguration } from '../../../db/repos/issuance/configurations.ts'
import { findTenant } from '../../../db/repos/tenancy/tenants.ts'
import { type BulkFailure, bulkIssuances } from '../../../db/tables/issuance/bulk-issuances.ts'
import { plusMs } from '../../../shared/clock.ts'
import { bulkKeptUntil } from '../../../shared/domain/issuance/bulk-issuances.ts'
import { yieldIfBusy } from '../../jobs/yield-if-busy.ts'
import type { SigningDeps } from '../deps.ts'
import { endRun, type Issued, missingConfiguration, openRow, type Portion, type PortionResult } from './portion.ts'

/**
 * Makes the claim links of a portion, and commits them with the progress in one transaction. The claims of the rows are then only in the
 * links. Rows of people who were erased meanwhile get no link.
 */
export async function makeLinks(deps: SigningDeps, portion: Portion): Promise<PortionResult> {
  const at = deps.clock.now()
  const fault = await findFault(deps, portion, at)
  if (fault) return { code: 'no_signer', message: fault.message }
  const links = await linksOf(deps, portion, at)
  const commitsFrom = performance.now()
  const result = await deps.db.tx((tx) => commitLinks(tx, portion, links, at))
  return result && 'done' in result ? { ...result, commitMs: performance.now() - commitsFrom } : result
}

/** Returns why no wallet could collect the credentials of the links. A deleted configuration is found at the commit. */
async function findFault({ db }: SigningDeps, { bulk }: Portion, at: Date): Promise<SigningFault | undefined> {
  const { tenantId, configurationIds } = bulk
  const rows = await Promise.all(configurationIds.map((id) => findConfiguration(db.read, tenantId, id)))
  const configurations = rows.filter((row) => row !== undefined)
  const { faults } = await findConfigurationSigners(db.read, configurations, at)
  return faults[0]
}

/** Returns no links for a tenant that was deleted. */
async function linksOf({ db, secrets }: SigningDeps, { bulk, rows }: Portion, at: Date): Promise<ClaimLinkRow[]> {
  const tenant = await findTenant(db.read, bulk.tenantId)
  if (!tenant) return []
  const { id: bulkId, configurationIds, linkSeconds, transactionCode, signIn } = bulk
  const expiresAt = plusMs(at, (linkSeconds ?? 0) * 1_000)
  const common = { bulkId, configurationIds, expiresAt }
  const ofAll = { ...common, ...(transactionCode && { transactionCode }), ...(signIn && { signIn }) }
  const links: ClaimLinkRow[] = []
  for (const each of rows) {
    const { row, externalId, userId } = each
    const { claims } = openRow(secrets, each)
    links.push(newClaimLinkRow(tenant, { ...ofAll, row, externalId, userId, claims }, { secrets, at }))
    await yieldIfBusy()
  }
  return links
}

/** Returns undefined if another worker has committed the portion, or if the bulk issuance was paused, cancelled or deleted meanwhile. */
async function commitLinks(
  tx: Writer,
  { bulk, rows, isLast }: Portion,
  links: ClaimLinkRow[],
  at: Date,
): Promise<Issued | BulkFailure | undefined> {
  const { tenantId, id } = bulk
  if ((await holdTenant(tx, tenantId))?.state !== 'active') return undefined
  for (const configurationId of bulk.configurationIds.toSorted()) {
    if (!(await holdConfiguration(tx, tenantId, configurationId))) return missingConfiguration
  }
  const held = await hold(tx, bulkIssuances, tenantId, id)
  if (held?.state !== 'running' || held.run !== bulk.run || held.progress !== bulk.progress) return undefined

  const users = await holdUsersShared(tx, tenantId, [...new Set(rows.flatMap(({ userId }) => userId ?? []))])
  const last = rows.at(-1)?.row ?? held.progress
  const finished = await finishRows(tx, bulk, { after: bulk.progress, last })
  const made = links.filter(({ row, userId }) => finished.has(row) && (userId === null || users.has(userId)))
  await insertClaimLinks(tx, made)
  const done = held.done + made.length
  const { failed } = held
  await advanceRun(tx, bulk, {
    progress: last,
    done,
    failed,
    ended: isLast ? { endedAt: at, expiresAt: bulkKeptUntil(held, at) } : undefined,
  })
  if (isLast) await endRun(tx, bulk, { at, done, failed })
  return { done: made.length, failed: 0 }
}
