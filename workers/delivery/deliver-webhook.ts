import {
  type DeliveryRow,
  endDeliveriesOf,
  endDelivery,
  findDeliveryToSend,
  type RecordedAttempt,
  recordAttempt,
} from '../../db/repos/deliveries.ts'
import { updateWebhook } from '../../db/repos/webhooks.ts'
import { plusMs } from '../../shared/clock.ts'
import { type Payload, RetryLater } from '../../shared/jobs/registry.ts'
import { type Attempted, attemptDelivery } from './attempt.ts'
import type { DeliveryDeps } from './deps.ts'
import { eventOf } from './event.ts'
import type { Gate } from './gate.ts'
import { nextPauseMs } from './schedule.ts'

/** Clocks of two machines may differ by this much. */
const slackMs = 1_000

/** One attempt at one delivery. Does nothing for one that is done, or whose turn has not come. */
export async function deliverWebhook(
  deps: DeliveryDeps,
  gate: Gate,
  { tenantId, deliveryId }: Payload<'deliverWebhook'>,
): Promise<void> {
  const leave = await gate.enter(tenantId)
  try {
    await deliver(deps, tenantId, deliveryId)
  } finally {
    leave()
  }
}

async function deliver(deps: DeliveryDeps, tenantId: string, id: string): Promise<void> {
  const { db, clock } = deps
  const found = await findDeliveryToSend(db.read, tenantId, id)
  const dueAt = found?.delivery.nextAttemptAt
  if (!found || !dueAt || dueAt > plusMs(clock.now(), slackMs)) return
  const event = eventOf(found)
  if (!found.webhook || found.webhook.disabled || !event) return db.tx((tx) => endDelivery(tx, tenantId, id))

  const attempted = await attemptDelivery(deps, found.delivery, found.webhook.url, event)
  const outcome = judge(deps, found.delivery, attempted)
  const recorded = await record(deps, found.delivery, outcome)
  if (!recorded || !outcome.nextAttemptAt) return
  const pauseMs = outcome.nextAttemptAt.getTime() - clock.now().getTime()
  throw new RetryLater(Math.max(pauseMs, 1), 'the receiver did not take it')
}

function judge(
  { clock, retryPausesMs }: DeliveryDeps,
  { attemptsMade }: DeliveryRow,
  { attempt, retryAfter }: Attempted,
): RecordedAttempt {
  const { status = 0 } = attempt
  if (status >= 200 && status < 300) return { attempt, state: 'delivered', nextAttemptAt: null }
  const at = clock.now()
  const pauseMs = nextPauseMs({ attemptsMade: attemptsMade + 1, retryAfter, at }, retryPausesMs)
  if (status === 410 || pauseMs === undefined) return { attempt, state: 'failed', nextAttemptAt: null }
  return { attempt, state: 'pending', nextAttemptAt: plusMs(at, pauseMs) }
}

/** False when this attempt was not the current one any more. */
async function record({ db }: DeliveryDeps, delivery: DeliveryRow, outcome: RecordedAttempt): Promise<boolean> {
  const { tenantId, webhookId } = delivery
  return db.tx(async (tx) => {
    const recorded = await recordAttempt(tx, delivery, outcome)
    // RFC 9110, section 15.5.11: who answers 410 wants to hear no more, of this webhook at all.
    if (outcome.attempt.status === 410) {
      await updateWebhook(tx, tenantId, webhookId, { disabled: true })
      await endDeliveriesOf(tx, tenantId, webhookId)
    }
    return recorded
  })
}
