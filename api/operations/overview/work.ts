import type { WorkKind } from '../../../db/repos/operations/oldest-work.ts'
import { dayMs, hourMs, minuteMs } from '../../../shared/clock.ts'
import type { QueueName } from '../../../shared/jobs/definition.ts'
import { jobs } from '../../../shared/jobs/registry.ts'
import type { Severity } from './severity.ts'

interface LatenessThreshold {
  queue: QueueName
  lateAfterMs: number
  criticalAfterMs: number
}

const { signCredentials, publishList, deliverWebhooks, sendMessages, setBulkStatus, syncIntegration } = jobs

/** The queue of each kind of work, and the waiting times from which it is late and critical. */
const latenessThresholds: Record<WorkKind, LatenessThreshold> = {
  issuance: { queue: signCredentials.queue, lateAfterMs: minuteMs, criticalAfterMs: hourMs },
  statusChange: { queue: publishList.queue, lateAfterMs: 5 * minuteMs, criticalAfterMs: hourMs },
  delivery: { queue: deliverWebhooks.queue, lateAfterMs: 5 * minuteMs, criticalAfterMs: hourMs },
  message: { queue: sendMessages.queue, lateAfterMs: 5 * minuteMs, criticalAfterMs: hourMs },
  bulk: { queue: setBulkStatus.queue, lateAfterMs: hourMs, criticalAfterMs: dayMs },
  integration: { queue: syncIntegration.queue, lateAfterMs: hourMs, criticalAfterMs: dayMs },
}

export function presentWork({ work, since }: { work: WorkKind; since: Date }, at: Date) {
  const { queue, lateAfterMs, criticalAfterMs } = latenessThresholds[work]
  const waitedMs = at.getTime() - since.getTime()
  const severity: Severity = waitedMs >= criticalAfterMs ? 'critical' : waitedMs >= lateAfterMs ? 'warning' : 'notice'
  return { queue, work, since: since.toISOString(), severity }
}
