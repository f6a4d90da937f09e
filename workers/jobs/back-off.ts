import type { Worker } from 'bullmq'
import { isOutage } from '../../shared/errors/errors.ts'
import type { QueueName } from '../../shared/jobs/definition.ts'
import type { Log } from '../../shared/log/log.ts'
import { createThrottledLog } from '../../shared/log/throttled-log.ts'

const firstPauseMs = 250
const maxPauseMs = 2_000

/**
 * Pauses a worker after an error reply of Redis, or while the database of its queue is unavailable. The pause grows. Without it, BullMQ repeats
 * a refused command thousands of times a second, for example if Redis is full, read-only or cannot save. Running jobs continue.
 */
export function backOffOnErrors(worker: Worker, queue: QueueName, log: Log): void {
  const logError = createErrorLog(queue, log)
  let pauseMs = firstPauseMs
  let isPaused = false

  async function pause(): Promise<void> {
    isPaused = true
    await worker.pause(true)
    const resume = async () => {
      isPaused = false
      if (!worker.closing) await worker.resume()
    }
    setTimeout(resume, pauseMs).unref()
    pauseMs = Math.min(2 * pauseMs, maxPauseMs)
  }

  worker.on('error', (err) => {
    logError(err)
    // BullMQ itself waits for a lost connection.
    if ((err.name === 'ReplyError' || isOutage(err)) && !isPaused && !worker.closing) void pause()
  })
  worker.on('active', () => {
    pauseMs = firstPauseMs
  })
}

/** Logs the errors of a worker. Repetitions of an error are throttled. */
function createErrorLog(queue: QueueName, log: Log): (err: Error) => void {
  const lostLock = createThrottledLog((fields: object) =>
    log.info({ queue, ...fields }, 'job lock lost, another worker runs or ran the job'),
  )
  const redisError = createThrottledLog((fields: object) => log.warn({ queue, ...fields }, 'redis unavailable'))
  const databaseError = createThrottledLog((fields: object) => log.warn({ queue, ...fields }, 'database unavailable'))
  const other = createThrottledLog((fields: object) => log.warn({ queue, ...fields }, 'queue worker error'))
  return (err) => {
    if (isLostLock(err)) lostLock('lock', { reason: err.message })
    else if (isOutage(err)) databaseError(err.name, { err })
    else if (isRedisError(err)) redisError(err.name, { err })
    else other(err.name, { err })
  }
}

/**
 * A lock expires if its process does not run for longer than `takeoverMs`, for example on a busy machine during a start. The key of the job
 * is missing if another worker has completed it.
 */
function isLostLock({ message }: Error): boolean {
  return /^(Missing lock|Missing key|Lock mismatch|could not renew lock) for job /.test(message)
}

/** Returns whether an error is an error reply of Redis or a connection error of ioredis. */
function isRedisError(err: Error): boolean {
  const code = 'code' in err ? String(err.code) : ''
  const isConnectionLost = /^(Connection is closed|Command timed out|Stream isn't writeable)/.test(err.message)
  const isUnavailableCluster =
    /^(Too many Cluster redirections|Failed to refresh slots cache|Cluster isn't ready)/.test(err.message)
  if (isUnavailableCluster) return true
  return ['ReplyError', 'MaxRetriesPerRequestError'].includes(err.name) || /^E[A-Z]+$/.test(code) || isConnectionLost
}
