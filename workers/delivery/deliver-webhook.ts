import { type DeliveryRow, endDelivery, findDeliveryToSend, type RecordedAttempt } from '../../db/repos/deliveries.ts'
import { plusMs } from '../../shared/clock.ts'
import { type Payload, RetryLater } from '../../shared/jobs/registry.ts'
import { type Attempted, attemptDelivery } from './attempt.ts'
import type { DeliveryDeps } from './deps.ts'
import { eventOf } from './event.ts'
import type { Gate, Turn } from './gate.ts'
import type { Recorder } from './record-attempts.ts'
import { nextPauseMs } from './schedule.ts'

/** Clocks of two machines may differ by this much. */
const slackMs = 1_000

export interface SendingDeps extends DeliveryDeps {
  gate: Gate
  record: Recorder
}

/** One attempt at one delivery. Does nothing for one that is done, or whose turn has not come. */
export async function deliverWebhook(
  deps: SendingDeps,
  { tenantId, deliveryId }: Payload<'deliverWebhook'>,
): Promise<void> {
  const turn = await deps.gate.enter(tenantId)
  try {
    await deliver(deps, turn, tenantId, deliveryId)
  } finally {
    turn.end()
  }
}

async function deliver(deps: SendingDeps, turn: Turn, tenantId: string, id: string): Promise<void> {
  const { db, clock } = deps
  const found = await findDeliveryToSend(db.read, tenantId, id)
  const dueAt = found?.delivery.nextAttemptAt
  if (!found || !dueAt || dueAt > plusMs(clock.now(), slackMs)) return
  const event = eventOf(found)
  if (!found.webhook || found.webhook.disabled || !event) return db.tx((tx) => endDelivery(tx, tenantId, id))

  const attempted = await attemptDelivery(deps, turn, found.delivery, found.webhook.url, event)
  const outcome = judge(deps, found.delivery, attempted)
  const recorded = await deps.record(found.delivery, outcome)
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
