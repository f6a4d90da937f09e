// @module-tag redis

import { randomBytes, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest'
import { Problem } from '../../shared/errors/errors.ts'
import { createRedisBroker } from '../../shared/jobs/redis-broker.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { createDirectAnswerer } from '../../workers/jobs/direct-answerer.ts'
import { type ServeOptions, serveQueue } from '../../workers/serve.ts'
import { startRedis, type TestRedis } from '../harness/redis.ts'
import { openRedisBus } from '../harness/redis-bus.ts'

let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

const slots = 2
const item = { tenantId: 't', method: 'POST' as const, url: 'https://a.example', headers: {} }
const answerOf = (from: string) => ({ outcomes: [{ ok: { headers: { from } } }] })

/** A bus of a process that can have the role signing. */
async function start({ onTestFinished }: TestContext, redisUrl = redis.url) {
  const prefix = `test-${randomUUID()}`
  const secrets = createSecrets([randomBytes(32)])
  const bus = await openRedisBus({ redisUrl, prefix, secrets })
  onTestFinished(() => bus.close())
  const log = pino({ level: 'silent' })

  function answer(handlers: ServeOptions['handlers']) {
    const answerer = createDirectAnswerer({ queue: 'signing', handlers, log, concurrency: slots })
    return { close: bus.answerDirectly(answerer.answer), ended: answerer.ended }
  }
  function work(handlers: ServeOptions['handlers']): void {
    const consumer = createRedisBroker({ redisUrl, prefix, secrets }).openConsumer('signing')
    const worker = serveQueue({ queue: 'signing', handlers, consumer, secrets, log, concurrency: 2, takeoverMs: 3_000 })
    onTestFinished(async () => {
      await worker.close()
      consumer.disconnect()
    })
  }
  const ask = (deadlineMs = 60_000) => bus.call('signWebhooks', { items: [item] }, { deadlineMs })
  return { bus, answer, work, ask }
}

test('requests of a process with the role signing are answered without Redis', async (context) => {
  const own = await startRedis()
  const { answer, ask, bus } = await start(context, own.url)
  answer({ signWebhooks: async () => answerOf('call') })
  expect(bus.hasSigner()).toBe(true)
  await own.stop()
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask()))
  expect(answers).toEqual(answers.map(() => answerOf('call')))
})

test('a request that fails becomes a job with its id', async (context) => {
  const { answer, work, ask } = await start(context)
  answer({
    signWebhooks: async () => {
      throw new Error('once')
    },
  })
  work({ signWebhooks: async () => answerOf('job') })
  expect(await ask()).toEqual(answerOf('job'))
})

test('a request that fails after its caller has left becomes no job', async (context) => {
  const { bus, answer, ask } = await start(context)
  const { promise: freed, resolve: free } = Promise.withResolvers<void>()
  const { ended } = answer({
    signWebhooks: async () => {
      await freed
      throw new Error('late')
    },
  })
  await expect(ask(100)).rejects.toMatchObject({ problem: 'service_unavailable' })
  const adds = vi.spyOn(bus.queue('signing'), 'add')
  free()
  await ended()
  await bus.ping()
  expect(adds).not.toHaveBeenCalled()
})

test('without Redis, a request that the handler refuses fails at once with its problem', async (context) => {
  const own = await startRedis()
  const { answer, ask } = await start(context, own.url)
  answer({
    signWebhooks: async () => {
      throw new Problem('not_found')
    },
  })
  await own.stop()
  await expect(ask()).rejects.toMatchObject({ problem: 'not_found' })
})

test('a request without an answer in time becomes a job', async (context) => {
  const { answer, work, ask } = await start(context)
  answer({ signWebhooks: () => new Promise(() => undefined) })
  work({ signWebhooks: async () => answerOf('job') })
  expect(await ask()).toEqual(answerOf('job'))
})

test('no more requests run at the same time than there are slots, and one whose caller has left does not start', async (context) => {
  const { answer, ask } = await start(context)
  const { promise: freed, resolve: free } = Promise.withResolvers<void>()
  let starts = 0
  const { ended } = answer({
    signWebhooks: async () => {
      starts++
      await freed
      return answerOf('call')
    },
  })
  const running = [ask(), ask()]
  expect(starts).toBe(slots)
  await expect(ask(100)).rejects.toMatchObject({ problem: 'service_unavailable' })
  expect(starts).toBe(slots)
  free()
  expect(await Promise.all(running)).toEqual([answerOf('call'), answerOf('call')])
  await ended()
  expect(starts).toBe(slots)
})

test('after the end of the role its accepted requests are answered, and further ones are jobs', async (context) => {
  const { bus, answer, work, ask } = await start(context)
  const { promise: freed, resolve: free } = Promise.withResolvers<void>()
  const { close, ended } = answer({
    signWebhooks: async () => {
      await freed
      return answerOf('call')
    },
  })
  const accepted = [ask(), ask(), ask()]
  close()
  expect(bus.hasSigner()).toBe(false)
  let isEnded = false
  const end = ended().then(() => {
    isEnded = true
  })
  await bus.ping()
  expect(isEnded).toBe(false)
  free()
  expect(await Promise.all(accepted)).toEqual(accepted.map(() => answerOf('call')))
  await end
  work({ signWebhooks: async () => answerOf('job') })
  expect(await ask()).toEqual(answerOf('job'))
})

test('neither side can change values of the other', async (context) => {
  const { bus, answer } = await start(context)
  const returned = answerOf('call')
  answer({
    signWebhooks: async (payload: { items: { url: string }[] }) => {
      for (const each of payload.items) each.url = 'changed'
      return returned
    },
  } as ServeOptions['handlers'])
  const items = [{ ...item }]
  const result = await bus.call('signWebhooks', { items }, { deadlineMs: 60_000 })
  expect(items).toEqual([item])
  expect(result).toEqual(returned)
  expect(result.outcomes[0]).not.toBe(returned.outcomes[0])
})
