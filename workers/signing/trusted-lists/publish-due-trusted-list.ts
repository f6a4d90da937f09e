import { hold } from '../../../db/hold.ts'
import { findDueConfiguration, recordFailedPublication } from '../../../db/repos/ecosystems/automatic-trusted-lists.ts'
import type { TrustedListConfigurationRow } from '../../../db/repos/ecosystems/trusted-list-configurations.ts'
import { insertEvents } from '../../../db/repos/operations/search/events.ts'
import { announceChanges } from '../../../db/repos/operations/webhooks/change-announcements.ts'
import { trustedListConfigurations } from '../../../db/tables/ecosystems/trusted-lists.ts'
import { minuteMs, plusMs } from '../../../shared/clock.ts'
import { eventNameOf, listLabelOf, loteTypeIn } from '../../../shared/domain/ecosystems/list-kinds.ts'
import { findProblem, Problem } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import type { Attempt } from '../../jobs/handlers.ts'
import type { SigningDeps } from '../deps.ts'
import { numberSignAndPublish } from './publish-trusted-list.ts'

/**
 * Publishes the automatic list of an ecosystem if it is due. The queue retries temporary errors. Other errors are stored in the configuration
 * and retried after a pause.
 */
export async function publishDueTrustedList(
  deps: SigningDeps,
  { tenantId, configurationId }: Payload<'publishDueTrustedList'>,
  { isLast }: Pick<Attempt, 'isLast'>,
): Promise<void> {
  const createdAt = deps.clock.now()
  const due = await findDueConfiguration(deps.db.read, tenantId, configurationId, createdAt)
  if (!due) return
  const { ecosystemId, kind } = due
  try {
    const list = { id: newOrderedId(createdAt), tenantId, ecosystemId, kind, isAutoPublished: true, createdAt }
    await numberSignAndPublish(deps, list)
  } catch (error) {
    const problem = findProblem(error)
    if (problem?.problem === 'service_unavailable' || !(problem || isLast)) throw error
    await noteFailure(deps, due, (problem ?? new Problem('internal')).message)
    if (!problem) throw error
  }
}

const maxPauseMs = 60 * minuteMs

/** Returns half of the time since the first failure, within limits. */
function pauseMs(failingSince: Date, at: Date): number {
  return Math.min(maxPauseMs, Math.max(minuteMs, (at.getTime() - failingSince.getTime()) / 2))
}

/** Stores the failure in the configuration. Writes an event and a log message if the reason is new. */
async function noteFailure(
  { db, clock, log }: SigningDeps,
  { tenantId, id, ecosystemId, kind }: TrustedListConfigurationRow,
  reason: string,
): Promise<void> {
  const at = clock.now()
  const isNewReason = await db.tx(async (tx) => {
    await hold(tx, trustedListConfigurations, tenantId, id)
    // Another process can have published or failed, and the configuration can have changed.
    const due = await findDueConfiguration(tx, tenantId, id, at)
    if (!due) return false
    const failingSince = due.failingSince ?? at
    const pause = { failingSince, retryAt: plusMs(at, pauseMs(failingSince, at)) }
    await recordFailedPublication(tx, tenantId, id, { ...pause, lastFailureAt: at, lastFailureReason: reason })
    if (due.lastFailureReason === reason) return false
    const event = { id: newOrderedId(at), requestId: newOrderedId(at), tenantId, category: 'ECOSYSTEMS' }
    const type = `ECOSYSTEM_${eventNameOf(kind)}_PUBLICATION_FAILED`
    await insertEvents(tx, [
      { ...event, type, timestamp: at.toISOString(), data: { ecosystemId, ...loteTypeIn(kind), reason } },
    ])
    await announceChanges(tx, tenantId, { PublicationFailed: [{ ecosystemId, list: listLabelOf(kind) }] }, at)
    return true
  })
  if (isNewReason) log.warn({ tenantId, ecosystemId, kind, reason }, 'automatic publication of a trusted list failed')
}
