import { randomUUID } from 'node:crypto'
import type { QueueName } from '../../shared/jobs/definition.ts'
import type { QueueValue, QueueValues } from './values.ts'

/** A process reports its consumers for a third of the time that a report is valid. */
const keptMs = 30_000

/** Tells other processes which queues this process takes jobs of. One write reports all of them. */
export interface ConsumerReports {
  /** Returns a function that ends the report. */
  add(queue: QueueName): () => void
}

export function createConsumerReports(values: QueueValues): ConsumerReports {
  const consumers = new Set<QueueValue>()
  let timer: NodeJS.Timeout | undefined
  // The next report tries again.
  const report = (reported: Iterable<QueueValue>) => void values.putAll([...reported]).catch(() => undefined)
  return {
    add(queue) {
      const consumer: QueueValue = { kind: `consumer:${queue}`, id: randomUUID(), value: '1', lastsMs: keptMs }
      consumers.add(consumer)
      report([consumer])
      timer ??= setInterval(() => report(consumers), keptMs / 3).unref()
      return () => {
        consumers.delete(consumer)
        if (consumers.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
        values.remove(consumer.kind, [consumer.id]).catch(() => undefined) // it expires
      }
    },
  }
}
