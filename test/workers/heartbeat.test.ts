// @module-tag redis

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { systemClock } from '../../shared/clock.ts'
import { writeHeartbeat } from '../../shared/jobs/heartbeat.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { createRedisBroker } from '../../shared/jobs/redis-broker.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { startHeartbeat } from '../../workers/jobs/heartbeat.ts'
import { eventually } from '../harness/harness.ts'
import { sharedRedisUrl } from '../harness/shared-redis.ts'

test('the hash of processes has an entry for each running process, however often a worker process restarts', async () => {
  const redisUrl = await sharedRedisUrl()
  const redis = connectPatient(redisUrl)
  const prefix = `test-${randomUUID()}`
  const key = `${prefix}:signing-processes`
  const secrets = createSecrets([Buffer.alloc(32, 7)])
  const broker = createRedisBroker({ redisUrl, prefix, secrets })
  const options = { broker, clock: systemClock }
  const states = async () => Object.values(await redis.hgetall(key)).map((text) => text.split(' ')[1])

  await writeHeartbeat(redis, { prefix, secrets }, 'closed', 'closed', systemClock)
  // A process that was killed two minutes ago.
  await redis.hset(key, 'killed', `${Date.now() - 120_000} worker proof 0`)
  for (let restart = 0; restart < 3; restart++) {
    const heartbeat = startHeartbeat(options, 'worker')
    await eventually(async () => (await redis.hexists(key, 'killed')) === 0 && (await states()).length === 2)
    expect((await states()).toSorted()).toEqual(['closed', 'worker'])
    await heartbeat.stop()
    expect(await states()).toEqual(['closed'])
  }

  // A signing process reports the current state. Its entry is left to expire.
  const signing = startHeartbeat(options, 'working')
  await eventually(async () => (await states()).join() === 'working')
  await signing.stop()
  expect(await states()).toEqual(['working'])
  redis.disconnect()
})
