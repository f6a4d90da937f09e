import type { Writer } from '../../db/client.ts'
import { hold } from '../../db/hold.ts'
import { type DueIntegrationRow, endSync, findQueuedIntegration } from '../../db/repos/ecosystems/due-integrations.ts'
import {
  countOfOtherIntegrations,
  replaceIntegratedCertificates,
} from '../../db/repos/ecosystems/integrated-certificates.ts'
import { insertEvents } from '../../db/repos/operations/search/events.ts'
import { findTenant } from '../../db/repos/tenancy/tenants.ts'
import { ecosystems } from '../../db/tables/ecosystems/ecosystems.ts'
import type { IntegrationResult } from '../../db/tables/ecosystems/integrations.ts'
import type { FailReason } from '../../shared/domain/ecosystems/integrations.ts'
import { defaultQuotas } from '../../shared/domain/tenancy/limits.ts'
import { fingerprintOf } from '../../shared/formats/certificate.ts'
import { newId, newOrderedId } from '../../shared/ids.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import type { IntegrationDeps, SyncOutcome } from './deps.ts'
import type { GoodList } from './external-list.ts'
import { nextAfterFailure, nextAfterSuccess } from './schedule.ts'

/**
 * Writes the outcome of a fetch and the certificates of the list in one transaction. A failed fetch does not change the certificates. Writes
 * nothing if the integration was changed, disabled or removed since the fetch, or belongs to another job.
 */
export async function commitSync(
  { db, clock }: Pick<IntegrationDeps, 'db' | 'clock'>,
  ref: Payload<'syncIntegration'>,
  outcome: SyncOutcome,
): Promise<void> {
  const { tenantId } = ref
  await db.tx(async (tx) => {
    const integration = await findQueuedIntegration(tx, tenantId, ref)
    if (!integration || !(await hold(tx, ecosystems, tenantId, integration.ecosystemId))) return
    // Other changes of integrations hold the ecosystem too.
    const row = await findQueuedIntegration(tx, tenantId, ref)
    if (!row) return
    const at = clock.now()
    const refusal = 'list' in outcome ? await findExcess(tx, row, outcome.list) : undefined
    const synced = await syncedRow(tx, { row, at }, refusal ? { failed: refusal } : outcome)
    if (!(await endSync(tx, tenantId, ref, synced))) throw new Error('the held integration is missing')
    await insertEvents(tx, [eventOf(row, synced.result, at)])
  })
}

/** Returns the reason of a refusal if the ecosystem would have too many certificates. */
async function findExcess(tx: Writer, row: DueIntegrationRow, { entries }: GoodList): Promise<FailReason | undefined> {
  const { tenantId, ecosystemId, id } = row
  const tenant = await findTenant(tx, tenantId)
  const max = tenant?.settings.limits.integratedCertificates ?? defaultQuotas.integratedCertificates
  const others = await countOfOtherIntegrations(tx, tenantId, { ecosystemId, integrationId: id })
  if (entries.length + others <= max) return undefined
  const message = `The list has ${entries.length} certificates, and the other lists of the ecosystem have ${others}. The limit is ${max} in all. Disable or remove other integrations.`
  return { type: 'TooLarge', message }
}

type Fetched = { row: DueIntegrationRow; at: Date }

async function syncedRow(tx: Writer, { row, at }: Fetched, outcome: SyncOutcome) {
  const { failReasons: _failReasons, ...before } = row.result ?? {}
  const lastSyncedAt = at.toISOString()
  if ('failed' in outcome) {
    const failures = row.failures + 1
    const result: IntegrationResult = { ...before, success: false, lastSyncedAt, failReasons: [outcome.failed] }
    return { result, failures, nextSyncAt: nextAfterFailure(failures, at) }
  }
  const good = { failures: 0, succeededAt: at }
  if ('isUnchanged' in outcome) {
    const result: IntegrationResult = { ...before, success: true, lastSyncedAt }
    return { ...good, result, nextSyncAt: nextAfterSuccess(at, etagEnd(row)) }
  }
  const { list, etag } = outcome
  const lastGood = {
    ...{ date: list.date.toISOString(), root: list.root },
    ...(list.number !== undefined && { number: list.number }),
    ...(etag !== undefined && { etag: { value: etag, until: list.until.toISOString() } }),
  }
  const result: IntegrationResult = {
    ...(await replaceCertificates(tx, { row, at }, list)),
    success: true,
    lastSyncedAt,
  }
  return { ...good, result, lastGood, nextSyncAt: nextAfterSuccess(at, list.nextUpdate) }
}

function etagEnd({ lastGood }: DueIntegrationRow): Date | undefined {
  return lastGood?.etag && new Date(lastGood.etag.until)
}

async function replaceCertificates(
  tx: Writer,
  { row, at }: Fetched,
  list: GoodList,
): Promise<Partial<IntegrationResult>> {
  const { tenantId, ecosystemId, id: integrationId, trustAnchors, result } = row
  const entries = list.entries.map((each) => ({ ...each, certificate: Buffer.from(each.certificate) }))
  const counts = await replaceIntegratedCertificates(tx, tenantId, { ecosystemId, integrationId }, entries, at)
  const hasChanged = counts.added + counts.removed + counts.changed > 0
  const changes = hasChanged ? { ...counts, at: at.toISOString() } : result?.changes
  const pinned = trustAnchors.length === 0 ? fingerprintOf(list.root) : undefined
  return {
    lastModifiedAt: list.date.toISOString(),
    ...(pinned !== undefined && { pinnedRootFingerprint: pinned }),
    certificatesCount: entries.length,
    ...(changes && { changes }),
    ...(list.skipped.count > 0 && { skippedEntries: list.skipped }),
  }
}

/** The event has the host only, because the URL can contain secrets. */
function eventOf({ tenantId, ecosystemId, format, url }: DueIntegrationRow, result: IntegrationResult, at: Date) {
  const { success, failReasons, lastModifiedAt, certificatesCount, changes, skippedEntries } = result
  const list = { id: ecosystemId, format, host: URL.parse(url)?.host }
  const hasChanged = changes?.at === at.toISOString()
  const details = {
    ...{ lastModifiedAt, certificatesCount, skipped: skippedEntries?.count ?? 0 },
    ...{ added: 0, removed: 0, changed: 0 },
    ...(hasChanged && { added: changes.added, removed: changes.removed, changed: changes.changed }),
  }
  return {
    id: newOrderedId(at),
    tenantId,
    type: `ECOSYSTEM_INTEGRATION_SYNC_${success ? 'SUCCESS' : 'FAIL'}`,
    category: 'ECOSYSTEMS',
    timestamp: at.toISOString(),
    requestId: newId(),
    data: { ...list, ...(success ? details : { error: failReasons?.[0] }) },
  }
}
