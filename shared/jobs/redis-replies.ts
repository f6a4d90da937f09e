import { randomUUID } from 'node:crypto'
import type { Reply, ReplyChannel } from './completions.ts'
import type { RedisConnection } from './redis.ts'
import { subscribeTo } from './redis-subscription.ts'

/** A connection that only subscribes sends no command. Without a ping, its silent loss would not be noticed. */
const pingEveryMs = 5_000

/** Receives the replies to this process over a Redis channel of its own. */
export function subscribeToReplies(
  subscriber: RedisConnection,
  prefix: string,
  receive: (message: string) => void,
): ReplyChannel {
  const name = `${prefix}:replies:${randomUUID()}`
  subscriber.on('message', (_channel, message) => receive(message))
  const pings = setInterval(() => {
    if (subscriber.status === 'ready') subscriber.ping().catch(() => undefined) // the connection opens itself again
  }, pingEveryMs).unref()
  return {
    name,
    listening: subscribeTo(subscriber, name),
    close() {
      clearInterval(pings)
      subscriber.disconnect()
    },
  }
}

/** Returns a function that sends replies over Redis. */
export function publishTo(redis: RedisConnection): (channel: string, reply: Reply) => Promise<void> {
  return async (channel, reply) => void (await redis.publish(channel, JSON.stringify(reply)))
}
