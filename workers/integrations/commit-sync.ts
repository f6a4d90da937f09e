import type { Writer } from '../../db/client.ts'
import { hold } from '../../db/hold.ts'
import { type DueIntegrationRow, endSync, findQueuedIntegration } from '../../db/repos/ecosystems/due-integrations.ts'
import {
  countOfOtherIntegrations,
  replaceIntegratedCertificates,
} from '../../db/repos/ecosystems/integrated-certificates.ts'
import { insertEvents } from '../../db/repos/operations/events.ts'
import { findTenant } from '../../db/repos/tenancy/tenants.ts'
import { ecosystems } from '../../db/tables/ecosystems/ecosystems.ts'
import type { IntegrationResult } from '../../db/tables/ecosystems/integrations.ts'
import type { FailReason } from '../../shared/domain/ecosystems/integrations.ts'
import { ceilings } from '../../shared/domain/tenancy/limits.ts'
import { fingerprintOf } from '../../shared/formats/certificate.ts'
import { newId, newOrderedId } from '../../shared/ids.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import type { IntegrationDeps, SyncOutcome } from './deps.ts'
import type { GoodList } from './read-integrated-list.ts'
import { nextAfterFailure, nextAfterSuccess } from './schedule.ts'

/**
 * What came of a fetch, with what the list gives, in one transaction; a list that is not good changes nothing of what the last good one
 * gave. Nothing is written where the integration was changed, disabled or removed since it was fetched, or is another job's.
 */
export async function commitSync(
  { db, clock }: Pick<IntegrationDeps, 'db' | 'clock'>,
  ref: Payload<'syncIntegration'>,
  outcome: SyncOutcome,
): Promise<void> {
  const { tenantId } = ref
  await db.tx(async (tx) => {
    const found = await findQueuedIntegration(tx, tenantId, ref)
    if (!found || !(await hold(tx, ecosystems, tenantId, found.ecosystemId))) return
    // Who changes the integrations of an ecosystem holds it too.
    const row = await findQueuedIntegration(tx, tenantId, ref)
    if (!row) return
    const at = clock.now()
    const refusal = 'list' in outcome ? await tooMany(tx, row, outcome.list) : undefined
    const synced = await outcomeIn(tx, { row, at }, refusal ? { failed: refusal } : outcome)
    if (!(await endSync(tx, tenantId, ref, synced))) throw new Error('an integration that was held is not there')
    await insertEvents(tx, [eventOf(row, synced.result, at)])
  })
}

async function tooMany(tx: Writer, row: DueIntegrationRow, { entries }: GoodList): Promise<FailReason | undefined> {
  const { tenantId, ecosystemId, id } = row
  const tenant = await findTenant(tx, tenantId)
  const most = tenant?.settings.limits.integratedCertificates ?? ceilings.integratedCertificates
  const others = await countOfOtherIntegrations(tx, tenantId, { ecosystemId, integrationId: id })
  if (entries.length + others <= most) return undefined
  const message = `It has ${entries.length} certificates, and the ecosystem's other lists ${others}; ${most} are taken in all. Disable or remove others`
  return { type: 'TooLarge', message }
}

type Fetched = { row: DueIntegrationRow; at: Date }

async function outcomeIn(tx: Writer, { row, at }: Fetched, outcome: SyncOutcome) {
  const { failReasons: _past, ...before } = row.result ?? {}
  const lastSyncedAt = at.toISOString()
  if ('failed' in outcome) {
    const failures = row.failures + 1
    const result: IntegrationResult = { ...before, success: false, lastSyncedAt, failReasons: [outcome.failed] }
    return { result, failures, nextSyncAt: nextAfterFailure(failures, at) }
  }
  const good = { failures: 0, succeededAt: at }
  if ('isUnchanged' in outcome) {
    const result: IntegrationResult = { ...before, success: true, lastSyncedAt }
    return { ...good, result, nextSyncAt: nextAfterSuccess(at, until(row)) }
  }
  const { list, etag } = outcome
  const lastGood = {
    ...{ date: list.date.toISOString(), root: list.root },
    ...(etag !== undefined && { etag: { value: etag, until: list.until.toISOString() } }),
  }
  const result: IntegrationResult = { ...(await taken(tx, { row, at }, list)), success: true, lastSyncedAt }
  return { ...good, result, lastGood, nextSyncAt: nextAfterSuccess(at, list.nextUpdate) }
}

function until({ lastGood }: DueIntegrationRow): Date | undefined {
  return lastGood?.etag && new Date(lastGood.etag.until)
}

async function taken(tx: Writer, { row, at }: Fetched, list: GoodList): Promise<Partial<IntegrationResult>> {
  const { tenantId, ecosystemId, id: integrationId, trustAnchors, result } = row
  const given = list.entries.map((each) => ({ ...each, certificate: Buffer.from(each.certificate) }))
  const found = await replaceIntegratedCertificates(tx, tenantId, { ecosystemId, integrationId }, given, at)
  const isOther = found.added + found.removed + found.changed > 0
  const changes = isOther ? { ...found, at: at.toISOString() } : result?.changes
  const pinned = trustAnchors.length === 0 ? fingerprintOf(list.root) : undefined
  return {
    lastModifiedAt: list.date.toISOString(),
    ...(pinned !== undefined && { pinnedRootFingerprint: pinned }),
    certificatesCount: given.length,
    ...(changes && { changes }),
    ...(list.skipped.count > 0 && { skippedEntries: list.skipped }),
  }
}

/** Its URL may hold secrets: the host is enough to know it by. */
function eventOf({ tenantId, ecosystemId, format, url }: DueIntegrationRow, result: IntegrationResult, at: Date) {
  const { success, failReasons, lastModifiedAt, certificatesCount, changes, skippedEntries } = result
  const list = { id: ecosystemId, format, host: URL.parse(url)?.host }
  const isNew = changes?.at === at.toISOString()
  const good = {
    ...{ lastModifiedAt, certificatesCount, skipped: skippedEntries?.count ?? 0 },
    ...{ added: 0, removed: 0, changed: 0 },
    ...(isNew && { added: changes.added, removed: changes.removed, changed: changes.changed }),
  }
  return {
    id: newOrderedId(at),
    tenantId,
    type: `ECOSYSTEM_INTEGRATION_SYNC_${success ? 'SUCCESS' : 'FAIL'}`,
    category: 'ECOSYSTEMS',
    timestamp: at.toISOString(),
    requestId: newId(),
    data: { ...list, ...(success ? good : { error: failReasons?.[0] }) },
  }
}
