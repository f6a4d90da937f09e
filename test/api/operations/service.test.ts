import { expect, test } from 'vitest'
import { eventually, startService } from '../../harness.ts'
import { startRedis } from '../../redis.ts'

const ready = '/health/ready'

test('the service is ready while database, Redis and a signing worker are there', async () => {
  await using service = await startService()
  expect(await service.anonymous.get(ready)).toMatchObject({
    status: 200,
    body: { status: 'ok', phase: 'serving', checks: { database: 'ok', redis: 'ok', signing: 'ok' } },
  })

  await service.workers.stop()
  const answer = await eventually(async () => {
    const found = await service.anonymous.get(ready)
    return found.status === 503 && found
  })
  expect(answer.body).toEqual({
    status: 'unavailable',
    phase: 'serving',
    checks: { database: 'ok', redis: 'ok', signing: 'unavailable' },
  })
  expect(answer.headers['retry-after']).toBeDefined()

  await service.workers.start()
  await eventually(async () => (await service.anonymous.get(ready)).status === 200)
})

test('without Redis the process lives, says what is missing, and tells nobody where it was', async () => {
  const redis = await startRedis()
  const service = await startService({ redisUrl: redis.url })
  await redis.stop()
  expect(await service.anonymous.get('/health/live')).toMatchObject({ status: 200 })
  expect(await service.anonymous.get(ready)).toEqual(
    expect.objectContaining({
      status: 503,
      body: {
        status: 'unavailable',
        phase: 'serving',
        checks: { database: 'ok', redis: 'unavailable', signing: 'unavailable' },
      },
    }),
  )
  const again = await startRedis({ port: Number(new URL(redis.url).port) })
  await eventually(async () => (await service.anonymous.get(ready)).status === 200)
  await service[Symbol.asyncDispose]()
  await again.stop()
})
