import type { Worker } from 'bullmq'
import type { QueueName } from '../shared/jobs/definition.ts'
import type { Log } from '../shared/log.ts'
import { seldom } from '../shared/seldom.ts'

const firstRestMs = 250
const longestRestMs = 2_000

/**
 * A Redis that answers, but refuses what a worker asks (it is full, read-only, or cannot save), makes BullMQ ask again at
 * once, thousands of times a second. The worker rests instead, longer each time, and one line in some seconds tells of it.
 * Jobs that are running go on.
 */
export function restInTrouble(worker: Worker, queue: QueueName, log: Log): void {
  const tell = seldom((fields: { err: Error; queue: QueueName }) => log.warn(fields, 'the queue is out of reach'))
  let restMs = firstRestMs
  let resting = false

  async function rest(): Promise<void> {
    resting = true
    await worker.pause(true)
    const wake = async () => {
      resting = false
      if (!worker.closing) await worker.resume()
    }
    setTimeout(wake, restMs).unref()
    restMs = Math.min(2 * restMs, longestRestMs)
  }

  worker.on('error', (err) => {
    tell(err.name, { err, queue })
    // What Redis itself answered; a connection that is lost is waited for by BullMQ.
    if (err.name === 'ReplyError' && !resting && !worker.closing) void rest()
  })
  worker.on('active', () => {
    restMs = firstRestMs
  })
}
