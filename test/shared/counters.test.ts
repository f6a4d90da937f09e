// @module-tag redis

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { countInRedis, createSharedCounters } from '../../shared/counters.ts'
import { connectFailFast, connectPatient } from '../../shared/jobs/redis.ts'
import { startRedis, type TestRedis } from '../harness/redis.ts'

// Tests advance the clock of the counters. test/api/limits.test.ts tests them in a service.

let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('a Redis that does not answer delays a count by 200 ms, once a second', async () => {
  const [connection, admin] = [connectFailFast(redis.url), connectPatient(redis.url)]
  await vi.waitUntil(() => connection.status === 'ready')
  await admin.call('CLIENT', 'PAUSE', '60000', 'WRITE')
  const counters = createSharedCounters(countInRedis(connection, 'test'))
  const answers: number[] = []
  const count = () => counters.count('key', 5).then((window) => void answers.push(window.count))
  const answersAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return answers
  }

  void count()
  expect(await answersAfter(199)).toEqual([])
  expect(await answersAfter(1)).toEqual([1])
  // These do not wait for the clock.
  await count()
  await vi.advanceTimersByTimeAsync(999)
  await count()
  expect(await answersAfter(1)).toEqual([1, 2, 3])
  void count()
  expect(await answersAfter(199)).toEqual([1, 2, 3])
  expect(await answersAfter(1)).toEqual([1, 2, 3, 4])
  connection.disconnect()
  admin.disconnect()
})
