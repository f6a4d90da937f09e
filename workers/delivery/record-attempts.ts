import type { Database, Writer } from '../../db/client.ts'
import { type DeliveryRow, type RecordedAttempt, recordAttempt } from '../../db/repos/operations/webhooks/deliveries.ts'
import { endDeliveriesOf } from '../../db/repos/operations/webhooks/ended-deliveries.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Segment } from '../../shared/tracing/segment.ts'
import { tracing } from '../../shared/tracing/tracing.ts'
import { type RecordableAttempt, recordHealth } from './record-health.ts'

/** Commits an attempt at `url`. An attempt that is no longer the delivery's current one changes nothing. */
export type AttemptRecorder = (delivery: DeliveryRow, outcome: RecordedAttempt, url: string) => Promise<void>

interface Waiting extends RecordableAttempt {
  segment: Segment | undefined
  resolve(): void
  reject(error: unknown): void
}

/**
 * Creates a recorder that commits attempts in batches, because a commit is expensive. A batch has the attempts that end at the same time
 * or during the commit before.
 */
export function createRecorder(db: Database, clock: Clock): AttemptRecorder {
  let waiting: Waiting[] = []
  let committing = false

  async function commit(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const store = () => db.tx((tx) => record(tx, batch, clock.now()))
      const segments = batch.map(({ segment }) => segment)
      await (tracing ? tracing.within(segments, store) : store())
      for (const { resolve } of batch) resolve()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    if (waiting.length > 0) setImmediate(commit)
    else committing = false
  }

  return (delivery, outcome, url) =>
    new Promise((resolve, reject) => {
      waiting.push({ delivery, outcome, url, segment: tracing?.current(), resolve, reject })
      // The commit starts after the process has read all answers that have arrived.
      if (!committing) setImmediate(commit)
      committing = true
    })
}

/** The state of a delivery whose webhook was disabled during the attempt. */
const ended = { state: 'failed', nextAttemptAt: null } as const

/**
 * Records attempts in the lock order of hold.ts: all webhooks of the batch in the order of their ids, then their deliveries. Therefore the
 * deliveries of a disabled webhook end after the last webhook is locked.
 */
async function record(tx: Writer, batch: RecordableAttempt[], at: Date): Promise<void> {
  const byWebhook = Map.groupBy(batch, ({ delivery }) => delivery.webhookId)
  const generations = new Map<string, number>()
  const disabled: { tenantId: string; webhookId: string }[] = []
  for (const [webhookId, attempts] of [...byWebhook].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const health = await recordHealth(tx, attempts, at)
    generations.set(webhookId, health.generation)
    const [first] = attempts
    if (health.wasDisabled && first) disabled.push({ tenantId: first.delivery.tenantId, webhookId })
  }
  for (const { tenantId, webhookId } of disabled)
    generations.set(webhookId, await endDeliveriesOf(tx, tenantId, webhookId, at))
  // The statements are sent together and run in this order.
  await Promise.all(
    batch.map(({ delivery, outcome }) => {
      const hasEnded = delivery.generation < (generations.get(delivery.webhookId) ?? 0)
      return recordAttempt(tx, delivery, hasEnded && outcome.state === 'pending' ? { ...outcome, ...ended } : outcome)
    }),
  )
}
