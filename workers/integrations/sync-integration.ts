import {
  type DueIntegrationRow,
  findQueuedIntegration,
  markAttempt,
} from '../../db/repos/ecosystems/due-integrations.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import { commitSync } from './commit-sync.ts'
import type { IntegrationDeps, SyncOutcome } from './deps.ts'
import { fetchList } from './fetch-list.ts'

/**
 * Fetches a list of others, verifies it, and takes over what it gives, or writes down why not. Does nothing where the integration is
 * not this job's any more: it was changed, disabled or removed meanwhile, or is another job's.
 */
export async function syncIntegration(deps: IntegrationDeps, ref: Payload<'syncIntegration'>): Promise<void> {
  const { db, clock } = deps
  const integration = await findQueuedIntegration(db.read, ref.tenantId, ref)
  if (!integration) return
  await db.tx((tx) => markAttempt(tx, ref.tenantId, ref, clock.now()))
  const outcome = await outcomeOf(deps, integration)
  await commitSync(deps, ref, outcome)
}

/** Of the reading, in its turn among those of other tenants. */
const readWithinMs = 120_000

async function outcomeOf({ outbound, lists, clock }: IntegrationDeps, row: DueIntegrationRow): Promise<SyncOutcome> {
  const { tenantId, format, url, trustAnchors: anchors, lastGood } = row
  const at = clock.now()
  // Where an unchanged list would not be good any more, it is fetched whole, and says why.
  const etag = lastGood?.etag && new Date(lastGood.etag.until) > at ? lastGood.etag.value : undefined
  const fetched = await fetchList(outbound, url, etag)
  if (!('bytes' in fetched)) return fetched
  const asked = {
    ...{ bytes: fetched.bytes, format, anchors, at },
    ...(lastGood && { pinnedRoot: lastGood.root, lastDate: new Date(lastGood.date) }),
  }
  const read = await lists.run(asked, { tenantId, deadlineAt: performance.now() + readWithinMs })
  if (!read) {
    const message = 'It takes more time or memory to read than there is for a list. Check the URL, or ask its publisher'
    return { failed: { type: 'TooLarge', message } }
  }
  return 'failed' in read ? read : { list: read.list, ...(fetched.etag !== undefined && { etag: fetched.etag }) }
}
