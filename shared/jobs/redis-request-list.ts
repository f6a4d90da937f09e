import type { RequestList } from './broker.ts'
import { directListenerLeaseMs } from './listener-lease.ts'
import type { RedisConnection } from './redis.ts'
import { directRequestsKey, listenerKey } from './redis-list-channel.ts'
import { publishTo } from './redis-replies.ts'

/** The timeout of one blocking read. It also limits the time until a silently lost connection is noticed. */
const readTimeoutSeconds = 5
/** In a cluster, no command ends the read, because CLIENT goes to any node. A listener that stops waits for the end of the read. */
const clusterReadTimeoutSeconds = 1

/** The Redis list of the direct requests of a queue. `connection` is used for the blocking reads only. */
export function createRedisRequestList(
  connection: RedisConnection,
  replies: RedisConnection,
  queuePrefix: string,
): RequestList {
  const requestsKey = directRequestsKey(queuePrefix)
  const leaseKey = listenerKey(queuePrefix)
  const timeoutSeconds = connection.isCluster ? clusterReadTimeoutSeconds : readTimeoutSeconds
  let isEnded = false
  /** The id that Redis gave to the connection of the blocking reads. */
  let connectionId: number | undefined
  connection.on('close', () => {
    connectionId = undefined
  })

  return {
    renewLease: async () => void (await replies.set(leaseKey, '1', 'PX', directListenerLeaseMs)),
    // Other listeners renew the lease within a second.
    endLease: async () => void (await replies.del(leaseKey)),
    async take() {
      if (!connection.isCluster) connectionId ??= await connection.client('ID').catch(() => undefined)
      // A read that starts after `endWait` would not be unblocked.
      if (isEnded) return []
      const taken = await connection.blpop(requestsKey, timeoutSeconds)
      return taken ? [taken[1]] : []
    },
    async endWait() {
      isEnded = true
      // UNBLOCK ends the read and loses no entry that the list returns at this moment. Without a connection to Redis there is no such entry.
      if (connection.status !== 'ready') connection.disconnect()
      else if (connectionId !== undefined) await replies.client('UNBLOCK', connectionId).catch(() => undefined)
    },
    reply: publishTo(replies),
    disconnect() {
      connection.disconnect()
      replies.disconnect()
    },
  }
}
