import type { RedisConnection } from './redis.ts'

/**
 * Subscribes to a channel, and again after each reconnection. ioredis would subscribe again itself, but without a handler of its failure: a
 * process that closes the connection at this moment would end with an unhandled rejection. A connection to a cluster handles it.
 */
export async function subscribeTo(subscriber: RedisConnection, channel: string): Promise<void> {
  const subscribed = subscriber.subscribe(channel)
  if (!subscriber.isCluster) subscriber.on('ready', () => subscriber.subscribe(channel).catch(() => undefined))
  await subscribed
}
