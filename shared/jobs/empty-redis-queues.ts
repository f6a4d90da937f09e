import { queuePrefix } from './bus.ts'
import { queues } from './definition.ts'
import type { RedisConnection } from './redis.ts'

/**
 * Removes all jobs and schedules from Redis. Schedules are removed first: a scheduler that finds none reports that jobs were lost, also if this
 * process is killed. Events that wait in Redis stay.
 */
export async function emptyRedisQueues(redis: RedisConnection, prefix: string): Promise<void> {
  const nodes = 'nodes' in redis ? redis.nodes('master') : [redis]
  for (const keyPattern of [':repeat:*', ':*']) {
    for (const name of queues) {
      const match = `${queuePrefix(prefix, name)}:${name}${keyPattern}`
      for (const node of nodes)
        for await (const keys of node.scanStream({ match, count: 1_000 })) if (keys.length > 0) await node.unlink(keys)
    }
  }
}
