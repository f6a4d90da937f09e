import {
  type DueIntegrationRow,
  findQueuedIntegration,
  markAttempt,
} from '../../db/repos/ecosystems/due-integrations.ts'
import { loteProfiles } from '../../shared/formats/trusted-lists/lote/lote-types.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import { commitSync } from './commit-sync.ts'
import type { IntegrationDeps, SyncOutcome } from './deps.ts'
import { fetchList } from './fetch-list.ts'

/**
 * Fetches and verifies an external list and stores its certificates or the reason of the failure. Does nothing if the integration was
 * changed, disabled or removed meanwhile, or belongs to another job.
 */
export async function syncIntegration(deps: IntegrationDeps, ref: Payload<'syncIntegration'>): Promise<void> {
  const { db, clock } = deps
  const integration = await findQueuedIntegration(db.read, ref.tenantId, ref)
  if (!integration) return
  await db.tx((tx) => markAttempt(tx, ref.tenantId, ref, clock.now()))
  const outcome = await outcomeOf(deps, integration)
  await commitSync(deps, ref, outcome)
}

/** The timeout of reading, including the wait for a thread. */
const readTimeoutMs = 120_000

async function outcomeOf({ outbound, lists, clock }: IntegrationDeps, row: DueIntegrationRow): Promise<SyncOutcome> {
  const { tenantId, format, url, lastGood } = row
  const at = clock.now()
  // Without the entity tag the server sends the whole list. It is needed if an unchanged list is no longer valid.
  const etag = lastGood?.etag && new Date(lastGood.etag.until) > at ? lastGood.etag.value : undefined
  const fetched = await fetchList(outbound, { url, format, etag })
  if (!('bytes' in fetched)) return fetched
  const input = { bytes: fetched.bytes, at, ...expectationsOf(row) }
  const read = await lists.run(input, { tenantId, deadlineAt: performance.now() + readTimeoutMs })
  if (!read) {
    const message = 'Reading the list takes too much time or memory. Check the URL, or ask the publisher.'
    return { failed: { type: 'TooLarge', message } }
  }
  return 'failed' in read ? read : { list: read.list, ...(fetched.etag !== undefined && { etag: fetched.etag }) }
}

/** Returns what an integration requires of its next list. */
function expectationsOf({ format, loteType, types, trustAnchors: anchors, lastGood }: DueIntegrationRow) {
  return {
    ...{ format, anchors },
    ...(loteType && { loteType, types: types ?? loteProfiles[loteType].types ?? [] }),
    ...(lastGood && { pinnedRoot: lastGood.root, lastDate: new Date(lastGood.date) }),
    ...(lastGood?.number !== undefined && { lastNumber: lastGood.number }),
  }
}
