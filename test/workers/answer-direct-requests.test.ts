// @module-tag redis

import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest'
import { Problem } from '../../shared/errors/errors.ts'
import { queuePrefix } from '../../shared/jobs/bus.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { createRedisBroker } from '../../shared/jobs/redis-broker.ts'
import { directRequestsKey, listenerKey } from '../../shared/jobs/redis-list-channel.ts'
import { createRedisRequestList } from '../../shared/jobs/redis-request-list.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { answerDirectRequests } from '../../workers/jobs/answer-direct-requests.ts'
import { type ServeOptions, serveQueue } from '../../workers/serve.ts'
import { eventually } from '../harness/harness.ts'
import { startRedis, type TestRedis } from '../harness/redis.ts'
import { openRedisBus } from '../harness/redis-bus.ts'

let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

const deadline = { deadlineMs: 60_000 }
const item = { tenantId: 't', method: 'POST' as const, url: 'https://a.example', headers: {} }

/** A separate signing queue for each test, because nearly all tests wait, with its listeners and workers. */
async function start({ onTestFinished }: TestContext) {
  const prefix = `test-${randomUUID()}`
  const secrets = createSecrets([randomBytes(32)])
  const bus = await openRedisBus({ redisUrl: redis.url, prefix, secrets })
  const client = connectPatient(redis.url)
  const log = pino({ level: 'silent' })
  onTestFinished(() => bus.close())
  onTestFinished(() => void client.disconnect())

  function optionsWith(handlers: ServeOptions['handlers']) {
    const [connection, replies] = [connectPatient(redis.url), connectPatient(redis.url)]
    onTestFinished(() => {
      for (const each of [connection, replies]) each.disconnect()
    })
    const list = createRedisRequestList(connection, replies, queuePrefix(prefix, 'signing'))
    return { queue: 'signing' as const, handlers, list, connection, secrets, log, concurrency: 2 }
  }
  function listen(handlers: ServeOptions['handlers']) {
    const listening = answerDirectRequests({ ...optionsWith(handlers), bus })
    onTestFinished(() => listening.stop())
    return listening
  }
  function work(handlers: ServeOptions['handlers']): void {
    const consumer = createRedisBroker({ redisUrl: redis.url, prefix, secrets }).openConsumer('signing')
    const worker = serveQueue({ queue: 'signing', handlers, consumer, secrets, log, concurrency: 2, takeoverMs: 3_000 })
    onTestFinished(async () => {
      await worker.close()
      consumer.disconnect()
    })
  }
  const key = directRequestsKey(queuePrefix(prefix, 'signing'))
  /** Waits until this bus knows that a process listens. */
  async function heard(): Promise<void> {
    await eventually(async () => (await client.exists(listenerKey(queuePrefix(prefix, 'signing')))) === 1)
    await bus.call('signWebhooks', { items: [] }, { deadlineMs: 100 }).catch(() => undefined)
    // The call asked for listeners on the same connection before this.
    await bus.queue('signing').obliterate({ force: true })
  }
  const ask = () => bus.call('signWebhooks', { items: [item] }, deadline)
  const jobs = () => bus.queue('signing').getJobCounts('waiting', 'active', 'delayed', 'failed')
  return { bus, client, key, optionsWith, listen, work, heard, ask, jobs }
}

const answering = (from: string) => async () => ({ outcomes: [{ ok: { headers: { from } } }] })
const answerOf = (from: string) => ({ outcomes: [{ ok: { headers: { from } } }] })

test.concurrent('direct requests are answered without a job while a process listens, in any number', async (context) => {
  const { listen, heard, ask } = await start(context)
  listen({ signWebhooks: answering('list') })
  await heard()
  // No worker runs here.
  const answers = await Promise.all(Array.from({ length: 50 }, ask))
  expect(answers).toEqual(answers.map(() => answerOf('list')))
})

test.concurrent('the URL of a receiver, whose path can be a secret, is not in clear text in Redis', async (context) => {
  const { bus, work } = await start(context)
  const url = 'https://a.example/hooks/T0KEN'
  const asked = bus.call('signWebhooks', { items: [{ ...item, url }] }, deadline)
  const waiting = () => bus.queue('signing').getJobs(['waiting'])
  await eventually(async () => (await waiting()).length === 1)
  expect(JSON.stringify((await waiting()).map(({ data }) => data))).not.toMatch(/T0KEN|a\.example/)
  work({ signWebhooks: answering('job') })
  expect(await asked).toEqual(answerOf('job'))
})

test.concurrent('without a listener a direct request becomes a job at once', async (context) => {
  const { client, key, work, ask } = await start(context)
  work({ signWebhooks: answering('job') })
  for (let round = 0; round < 3; round++) expect(await ask()).toEqual(answerOf('job'))
  expect(await client.llen(key)).toBe(0)
})

test.concurrent('a sealed job is also sealed as a direct request', async (context) => {
  const { bus, client, key, listen, heard } = await start(context)
  const { stop } = listen({})
  await heard()
  await stop()
  const tokens = {
    items: [{ tenantId: 't', clientId: 'canary', issuer: 'i', roles: [], tokenGeneration: 0, lifetimeSeconds: 1 }],
  }
  const asked = bus.call('signManagementTokens', tokens, { deadlineMs: 2_000 }).catch(() => undefined)
  const [text] = await eventually(async () => ((await client.llen(key)) === 1 ? client.lrange(key, 0, -1) : undefined))
  expect(text).toContain('signManagementTokens')
  expect(text).not.toContain('canary')
  await asked
})

test.concurrent('a failed direct request becomes a job, which has the retries of jobs', async (context) => {
  const { listen, work, heard, ask } = await start(context)
  listen({
    signWebhooks: async () => {
      throw new Error('once')
    },
  })
  await heard()
  let failures = 0
  work({
    signWebhooks: async () => {
      if (failures++ === 0) throw new Problem('service_unavailable')
      return answerOf('job')
    },
  })
  expect(await ask()).toEqual(answerOf('job'))
  expect(failures).toBe(2)
})

test.concurrent('a request whose listener died becomes a job', async (context) => {
  const { client, key, listen, work, heard, ask } = await start(context)
  const { stop } = listen({})
  await heard()
  await stop()
  work({ signWebhooks: answering('job') })
  const asked = ask()
  expect(await client.blpop(key, 60)).toBeTruthy()
  expect(await asked).toEqual(answerOf('job'))
})

test.concurrent('a request that no listener took becomes a job and leaves the list', async (context) => {
  const { client, key, listen, work, heard, ask } = await start(context)
  const { stop } = listen({})
  await heard()
  await stop()
  work({ signWebhooks: answering('job') })
  const asked = ask()
  await eventually(async () => (await client.llen(key)) === 1)
  expect(await asked).toEqual(answerOf('job'))
  expect(await client.llen(key)).toBe(0)
})

test.concurrent('a request is removed from the list at its deadline and becomes no job', async (context) => {
  const { bus, client, key, listen, heard, jobs } = await start(context)
  const { stop } = listen({})
  await heard()
  await stop()
  const asked = bus.call('signWebhooks', { items: [item] }, { deadlineMs: 1_000 })
  await eventually(async () => (await client.llen(key)) === 1)
  await expect(asked).rejects.toMatchObject({ problem: 'service_unavailable' })
  await eventually(async () => (await client.llen(key)) === 0)
  expect(await jobs()).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0 })
})

test.concurrent('the job of a request leaves Redis at its deadline, also without a process that takes it', async (context) => {
  const { bus, listen, heard, jobs } = await start(context)
  const ask = (deadlineMs: number) => bus.call('signWebhooks', { items: [item] }, { deadlineMs })
  const nothing = { waiting: 0, active: 0, delayed: 0, failed: 0 }
  const asked = ask(1_000)
  await eventually(async () => (await jobs()).waiting === 1)
  await expect(asked).rejects.toMatchObject({ problem: 'service_unavailable' })
  await eventually(async () => isDeepStrictEqual(await jobs(), nothing))

  const { stop } = listen({})
  await heard()
  await stop()
  // It is a job when no process has taken it from the list for 3 s.
  await expect(ask(3_500)).rejects.toMatchObject({ problem: 'service_unavailable' })
  await eventually(async () => isDeepStrictEqual(await jobs(), nothing))
})

const garbage = ['', 'no JSON', 'null', '7', '[]', '{}', '{"id":1,"name":"signWebhooks","data":{}}']

test.concurrent('foreign entries and replies change nothing', async (context) => {
  const { bus, client, key, listen, heard, ask, jobs } = await start(context)
  listen({ signWebhooks: answering('list') })
  await heard()
  const unknown = ['constructor', 'eatCredential'].map((name) => JSON.stringify({ id: name, name, data: {} }))
  await client.rpush(key, ...garbage, ...unknown)
  expect(await ask()).toEqual(answerOf('list'))
  expect(await client.llen(key)).toBe(0)

  const waiting = bus.call('signWebhooks', { items: [item] }, deadline)
  const [channel] = (await client.pubsub('CHANNELS', '*:replies:*')) as string[]
  const problem = '{"id":"1","problem":{"problem":"eaten"}}'
  for (const text of [...garbage, problem]) await client.publish(channel!, text)
  expect(await waiting).toEqual(answerOf('list'))
  expect(await ask()).toEqual(answerOf('list'))
  expect(await jobs()).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0 })
})

test.concurrent('a listener that stops completes its requests and loses none', async (context) => {
  const { listen, heard, ask } = await start(context)
  let begun = 0
  const slow = async () => {
    begun++
    await sleep(20)
    return answerOf('list')
  }
  const first = listen({ signWebhooks: slow })
  listen({ signWebhooks: slow })
  await heard()
  const asked = Promise.all(Array.from({ length: 40 }, ask))
  await eventually(async () => begun > 1)
  await first.stop()
  // No request became a job, because no worker runs here.
  expect(await asked).toHaveLength(40)
  expect(await ask()).toEqual(answerOf('list'))
})

test('a listener that is stopped before it waits does not wait', async (context) => {
  const { bus, optionsWith } = await start(context)
  const options = optionsWith({})
  const { connection } = options
  await connection.ping()
  const { promise, resolve } = Promise.withResolvers<number>()
  vi.spyOn(connection, 'client').mockReturnValue(promise as never)
  const waits = vi.spyOn(connection, 'blpop')
  const { stop } = answerDirectRequests({ ...options, bus })
  const stopped = stop()
  resolve(1)
  await stopped
  expect(waits).not.toHaveBeenCalled()
})
