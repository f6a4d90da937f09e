import type { Worker } from 'bullmq'
import type { QueueName } from '../shared/jobs/definition.ts'
import type { Log } from '../shared/log.ts'
import { createThrottledLog } from '../shared/throttled-log.ts'

const firstRestMs = 250
const longestRestMs = 2_000

/**
 * A Redis that answers, but refuses what a worker asks (it is full, read-only, or cannot save), makes BullMQ ask again at
 * once, thousands of times a second. The worker rests instead, longer each time, and one line in some seconds tells of it.
 * Jobs that are running go on.
 */
export function backOffOnRedisErrors(worker: Worker, queue: QueueName, log: Log): void {
  const tell = tellerOf(queue, log)
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
    tell(err)
    // What Redis itself answered; a connection that is lost is waited for by BullMQ.
    if (err.name === 'ReplyError' && !resting && !worker.closing) void rest()
  })
  worker.on('active', () => {
    restMs = firstRestMs
  })
}

/** Logs what a worker reports, each kind once in some seconds. */
function tellerOf(queue: QueueName, log: Log): (err: Error) => void {
  const lostLock = createThrottledLog((fields: object) =>
    log.info({ queue, ...fields }, 'a job lost its lock: another worker runs it'),
  )
  const unreachable = createThrottledLog((fields: object) =>
    log.warn({ queue, ...fields }, 'the queue is out of reach'),
  )
  const other = createThrottledLog((fields: object) =>
    log.warn({ queue, ...fields }, 'a worker of the queue reports an error'),
  )
  return (err) => {
    if (isLostLock(err)) lostLock('lock', { reason: err.message })
    else if (isOfRedis(err)) unreachable(err.name, { err })
    else other(err.name, { err })
  }
}

/** A lock runs out when its process stands still for longer than `takeoverMs`, as on a machine that is busy with a start. */
function isLostLock({ message }: Error): boolean {
  return /^(Missing lock|Lock mismatch|could not renew lock) for job /.test(message)
}

/** What Redis answers, and what ioredis says of a connection. */
function isOfRedis(err: Error): boolean {
  const code = 'code' in err ? String(err.code) : ''
  const isLost = /^(Connection is closed|Command timed out|Stream isn't writeable)/.test(err.message)
  return ['ReplyError', 'MaxRetriesPerRequestError'].includes(err.name) || /^E[A-Z]+$/.test(code) || isLost
}
