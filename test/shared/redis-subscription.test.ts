import { expect, test } from 'vitest'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { subscribeTo } from '../../shared/jobs/redis-subscription.ts'
import { eventually } from '../harness/harness.ts'
import { startRedis } from '../harness/redis.ts'

const channel = 'pokes'

test('a subscriber receives messages again after Redis was away', { tags: 'redis' }, async () => {
  const redis = await startRedis()
  const [subscriber, publisher] = [connectPatient(redis.url), connectPatient(redis.url)]
  const received: string[] = []
  subscriber.on('message', (_channel, message) => received.push(message))
  await subscribeTo(subscriber, channel)
  await publisher.publish(channel, 'before')
  await redis.stop()
  const back = await startRedis({ port: Number(new URL(redis.url).port) })
  await eventually(async () => (await publisher.publish(channel, 'after')) === 1)
  await eventually(async () => received.includes('after'))
  expect(received[0]).toBe('before')
  for (const connection of [subscriber, publisher]) connection.disconnect()
  await back.stop()
})

test('a subscriber that Redis refuses after a reconnection tries again', { tags: 'redis' }, async () => {
  const redis = await startRedis()
  const [subscriber, publisher] = [connectPatient(redis.url), connectPatient(redis.url)]
  await subscribeTo(subscriber, channel)
  await publisher.call('ACL', 'SETUSER', 'default', 'resetchannels')
  await publisher.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  const isRefused = async () => JSON.stringify(await publisher.call('ACL', 'LOG')).includes(channel)
  await eventually(isRefused)
  await publisher.call('ACL', 'SETUSER', 'default', 'allchannels')
  await eventually(async () => (await publisher.publish(channel, 'after')) === 1)
  for (const connection of [subscriber, publisher]) connection.disconnect()
  await redis.stop()
})

test('a subscriber that is closed when Redis is back leaves no unhandled rejection', { tags: 'redis' }, async () => {
  const redis = await startRedis()
  const subscriber = connectPatient(redis.url)
  await subscribeTo(subscriber, channel)
  const rejections: unknown[] = []
  const record = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', record)
  await redis.stop()
  // Not `once` of node:events, which rejects for the errors while Redis is away.
  const ended = new Promise<void>((resolve) => subscriber.once('end', resolve))
  subscriber.prependListener('ready', () => {
    subscriber.disconnect()
    // As if the answer of Redis did not arrive any more.
    if ('stream' in subscriber) subscriber.stream.destroy()
  })
  const back = await startRedis({ port: Number(new URL(redis.url).port) })
  await ended
  // Node.js reports unhandled rejections after the microtasks.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', record)
  expect(rejections).toEqual([])
  await back.stop()
})
