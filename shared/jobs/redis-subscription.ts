import type { RedisConnection } from './redis.ts'

/**
 * Subscribes to a channel, and again after each reconnection. ioredis would subscribe again itself, but without a handler of its failure: a
 * process that closes the connection at this moment would end with an unhandled rejection. A connection to a cluster handles it.
 */
export async function subscribeTo(subscriber: RedisConnection, channel: string): Promise<void> {
  const subscribed = subscriber.subscribe(channel)
  if (!subscriber.isCluster) subscriber.on('ready', () => void subscribeAgain(subscriber, channel))
  await subscribed
}

async function subscribeAgain(subscriber: RedisConnection, channel: string): Promise<void> {
  try {
    await subscriber.subscribe(channel)
  } catch {
    // Without a subscription, no message would arrive. A connection that was closed stays closed.
    if (subscriber.status === 'ready') subscriber.disconnect(true)
  }
}
