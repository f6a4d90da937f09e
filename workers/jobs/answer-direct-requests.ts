import { setTimeout as sleep } from 'node:timers/promises'
import { type Bus, queuePrefix } from '../../shared/jobs/bus.ts'
import { readStoredRequest } from '../../shared/jobs/direct-requests.ts'
import type { RedisConnection } from '../../shared/jobs/redis.ts'
import { publishTo } from '../../shared/jobs/redis-broker.ts'
import {
  directListenerLeaseMs,
  directRequestsKey,
  listenerKey,
  renewListenerMs,
} from '../../shared/jobs/redis-list-channel.ts'
import type { ServeOptions } from '../serve.ts'
import { openPayload, reply, resultOf } from './job-content.ts'
import { runDirectRequest } from './run-direct-request.ts'

export interface DirectAnswerOptions
  extends Pick<ServeOptions, 'queue' | 'handlers' | 'secrets' | 'log' | 'concurrency'> {
  connection: RedisConnection
  replies: RedisConnection
  prefix: string
  bus: Pick<Bus, 'addJob'>
}

/** The timeout of one blocking read. It also limits the time until a silently lost connection is noticed. */
const readTimeoutSeconds = 5
/** In a cluster, no command ends the read, because CLIENT goes to any node. A listener that stops waits for the end of the read. */
const clusterReadTimeoutSeconds = 1
const retryPauseMs = 500

/**
 * Answers the direct requests of the Redis list of a queue (shared/jobs/redis-list-channel.ts). A request is tried once. If it fails, it becomes a job with the
 * retries of jobs. `connection` is used for the blocking reads only.
 */
export function answerDirectRequests(options: DirectAnswerOptions): { stop(): Promise<void> } {
  const { queue, connection, replies, prefix, concurrency } = options
  const requestsKey = directRequestsKey(queuePrefix(prefix, queue))
  const leaseKey = listenerKey(queuePrefix(prefix, queue))
  const running = new Set<Promise<void>>()
  let stopped = false
  const timeoutSeconds = connection.isCluster ? clusterReadTimeoutSeconds : readTimeoutSeconds
  /** The id that Redis gave to the connection of the blocking reads. */
  let connectionId: number | undefined

  async function listen(): Promise<void> {
    while (!stopped) {
      if (!connection.isCluster) connectionId ??= await connection.client('ID').catch(() => undefined)
      // A read that starts after `stop` would not be unblocked.
      if (stopped) break
      const taken = await connection.blpop(requestsKey, timeoutSeconds).catch(pauseAfterError)
      if (!taken) continue
      const answering = answer(options, taken[1]).finally(() => running.delete(answering))
      running.add(answering)
      if (running.size >= concurrency) await Promise.race(running)
    }
    await Promise.all(running)
  }

  connection.on('close', () => {
    connectionId = undefined
  })

  async function pauseAfterError(): Promise<null> {
    if (!stopped) await sleep(retryPauseMs)
    return null
  }

  // If the lease expires, clients queue jobs instead.
  const renewLease = () => void replies.set(leaseKey, '1', 'PX', directListenerLeaseMs).catch(() => undefined)
  renewLease()
  const timer = setInterval(renewLease, renewListenerMs)
  const listened = listen()
  return {
    async stop() {
      clearInterval(timer)
      stopped = true
      // Other listeners renew the lease within a second.
      replies.del(leaseKey).catch(() => undefined)
      // UNBLOCK ends the read and loses no entry that the list returns at this moment. Without a connection to Redis there is no such entry.
      if (connection.status !== 'ready') connection.disconnect()
      else if (connectionId !== undefined) await replies.client('UNBLOCK', connectionId).catch(() => undefined)
      await listened
    },
  }
}

async function answer(options: DirectAnswerOptions, text: string): Promise<void> {
  const { queue, replies, secrets, log, bus } = options
  const request = readStoredRequest(text)
  if (!request) {
    log.error({ queue, bytes: text.length }, 'unreadable direct request dropped')
    return
  }
  const { id, name, data } = request
  try {
    await runDirectRequest(options, {
      id,
      name,
      open: (job) => openPayload(job, data, secrets),
      respond: (job, returned) =>
        reply(
          { reply: publishTo(replies) },
          { id, replyTo: data.replyTo },
          { result: resultOf(job, returned, secrets) },
        ),
    })
  } catch {
    // If Redis is unavailable, the client queues the job after its timeout.
    await bus.addJob(request).catch(() => undefined)
  }
}
