import type { Database, Writer } from '../../db/client.ts'
import { type DeliveryRow, type RecordedAttempt, recordAttempt } from '../../db/repos/operations/deliveries.ts'
import type { Clock } from '../../shared/clock.ts'
import { type MadeAttempt, recordHealth } from './record-health.ts'

/** Commits an attempt at `url`. An attempt that is no longer the delivery's current one changes nothing. */
export type Recorder = (delivery: DeliveryRow, outcome: RecordedAttempt, url: string) => Promise<void>

interface Waiting extends MadeAttempt {
  resolve(): void
  reject(error: unknown): void
}

/** Attempts that end in the same moment, or while others are being committed, share one transaction: a commit is dear. */
export function createRecorder(db: Database, clock: Clock): Recorder {
  let waiting: Waiting[] = []
  let committing = false

  async function commit(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      await db.tx((tx) => record(tx, batch, clock.now()))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    if (waiting.length > 0) setImmediate(commit)
    else committing = false
  }

  return (delivery, outcome, url) =>
    new Promise((resolve, reject) => {
      waiting.push({ delivery, outcome, url, resolve, reject })
      // After all answers that have arrived by now were read.
      if (!committing) setImmediate(commit)
      committing = true
    })
}

/** What becomes of a delivery whose webhook was disabled while the attempt was made. */
const ended = { state: 'failed', nextAttemptAt: null } as const

/** Webhooks by id and before deliveries, as hold.ts has the order. */
async function record(tx: Writer, batch: MadeAttempt[], at: Date): Promise<void> {
  const byWebhook = Map.groupBy(batch, ({ delivery }) => delivery.webhookId)
  const generations = new Map<string, number>()
  for (const [id, attempts] of [...byWebhook].sort(([a], [b]) => (a < b ? -1 : 1)))
    generations.set(id, await recordHealth(tx, attempts, at))
  // Asked at once, in this order.
  await Promise.all(
    batch.map(({ delivery, outcome }) => {
      const hasEnded = delivery.generation < (generations.get(delivery.webhookId) ?? 0)
      return recordAttempt(tx, delivery, hasEnded && outcome.state === 'pending' ? { ...outcome, ...ended } : outcome)
    }),
  )
}
