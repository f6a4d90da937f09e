import type { Database, Writer } from '../../db/client.ts'
import { type DeliveryRow, endDeliveriesOf, type RecordedAttempt, recordAttempt } from '../../db/repos/deliveries.ts'
import { updateWebhook } from '../../db/repos/webhooks.ts'

/** Commits an attempt. False when it was not the current one any more. */
export type Recorder = (delivery: DeliveryRow, outcome: RecordedAttempt) => Promise<boolean>

interface Waiting {
  delivery: DeliveryRow
  outcome: RecordedAttempt
  resolve(recorded: boolean): void
  reject(error: unknown): void
}

/** Attempts that end in the same moment, or while others are being committed, share one transaction: a commit is dear. */
export function createRecorder(db: Database): Recorder {
  let waiting: Waiting[] = []
  let committing = false

  async function commit(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const recorded = await db.tx(async (tx) => {
        const each: boolean[] = []
        for (const { delivery, outcome } of batch) each.push(await record(tx, delivery, outcome))
        return each
      })
      for (const [position, { resolve }] of batch.entries()) resolve(recorded[position] === true)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    if (waiting.length > 0) setImmediate(commit)
    else committing = false
  }

  return (delivery, outcome) =>
    new Promise((resolve, reject) => {
      waiting.push({ delivery, outcome, resolve, reject })
      // After all answers that have arrived by now were read.
      if (!committing) setImmediate(commit)
      committing = true
    })
}

async function record(tx: Writer, delivery: DeliveryRow, outcome: RecordedAttempt): Promise<boolean> {
  const { tenantId, webhookId } = delivery
  const recorded = await recordAttempt(tx, delivery, outcome)
  // RFC 9110, section 15.5.11: who answers 410 wants to hear no more, of this webhook at all.
  if (outcome.attempt.status === 410) {
    await updateWebhook(tx, tenantId, webhookId, { disabled: true })
    await endDeliveriesOf(tx, tenantId, webhookId)
  }
  return recorded
}
