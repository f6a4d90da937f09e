// @module-tag redis

import { randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'bullmq'
import { DrizzleQueryError } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { Problem } from '../../shared/errors/errors.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import type { QueueName } from '../../shared/jobs/definition.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { createRedisBroker } from '../../shared/jobs/redis-broker.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { type ServeOptions, serveQueue } from '../../workers/serve.ts'
import { eventually } from '../harness/harness.ts'
import { startRedis, type TestRedis } from '../harness/redis.ts'
import { openRedisBus } from '../harness/redis-bus.ts'

let shared: TestRedis
beforeAll(async () => {
  shared = await startRedis()
})
afterAll(() => shared.stop())

/** Queues of a test's own (nearly all that the tests do is to wait, so they do it together), and what their workers log. */
async function start({ onTestFinished }: TestContext, redis = shared) {
  const prefix = `test-${randomUUID()}`
  const secrets = createSecrets([randomBytes(32)])
  const bus = await openRedisBus({ redisUrl: redis.url, prefix, secrets })
  const logged: { msg: string; job?: string; times?: number }[] = []
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line)) })
  onTestFinished(() => bus.close())

  /** A worker for the queue, which knows these jobs. */
  function serve(handlers: ServeOptions['handlers'], queue: QueueName = 'upkeep'): Worker {
    const consumer = createRedisBroker({ redisUrl: redis.url, prefix, secrets }).openConsumer(queue)
    const limits = { concurrency: 1, takeoverMs: 5_000 }
    const worker = serveQueue({ queue, handlers, consumer, secrets, log, ...limits })
    onTestFinished(async () => {
      await worker.close()
      consumer.disconnect()
    })
    return worker
  }
  return { bus, logged, serve }
}

const counts = ({ bus }: { bus: Bus }) => bus.queue('upkeep').getJobCounts('delayed', 'failed', 'waiting', 'active')

/** Fails so many times, then counts. */
function failing(times: number, problem: () => Error) {
  const seen = { calls: 0, done: 0 }
  const handler = async () => {
    if (++seen.calls <= times) throw problem()
    seen.done++
  }
  return { seen, handler }
}

const away = () => new Problem('service_unavailable')

test.concurrent.for([
  ['an expired lock', ':lock'],
  ['a job that another worker has done', ''],
] as const)('%s is not logged as an outage of Redis', async ([, key], context) => {
  const { bus, logged, serve } = await start(context)
  const client = connectPatient(shared.url)
  context.onTestFinished(() => client.disconnect())
  const removeKey = async () => {
    const { keys } = bus.queue('upkeep')
    const [id] = await client.lrange(keys.active ?? '', 0, 0)
    await client.del(`${keys['']}${id}${key}`)
  }
  serve({ purgeExpired: removeKey })
  await bus.send('purgeExpired', {})
  const [first] = await eventually(async () => logged.length > 0 && logged)
  expect(first).toMatchObject({ msg: 'job lock lost, another worker runs or ran the job' })
})

test.concurrent('a job that a worker does not know waits for one that does, and is logged', async (context) => {
  const queues = await start(context)
  const older = queues.serve({})
  await queues.bus.send('purgeExpired', {})
  const [logged] = await eventually(async () => queues.logged.length > 0 && queues.logged)
  const msg = 'job of another version postponed'
  expect(logged).toMatchObject({ job: 'purgeExpired', msg })
  // The job has three attempts. The test ends its pauses, which grow.
  const startsOf = async () => {
    const [job] = await queues.bus.queue('upkeep').getJobs(['delayed', 'failed'])
    if (!job) return 0
    await job.promote().catch(() => undefined)
    return job.attemptsStarted ?? 0
  }
  await eventually(async () => (await startsOf()) > 4 || (await counts(queues)).failed === 1)
  expect(await counts(queues)).toMatchObject({ failed: 0 })

  await older.close()
  const { seen, handler } = failing(0, away)
  queues.serve({ purgeExpired: handler })
  await eventually(async () => seen.done === 1)
})

test.concurrent('a job with an unknown name waits as well', async (context) => {
  const queues = await start(context)
  queues.serve({})
  await queues.bus.queue('upkeep').add('ofTomorrow', { payload: {} })
  await eventually(async () => (await counts(queues)).delayed === 1)
  expect(await counts(queues)).toMatchObject({ failed: 0 })
})

test.concurrent('a job that no worker took for a day has failed, and is logged', async (context) => {
  const queues = await start(context)
  queues.serve({})
  const timestamp = Date.now() - 25 * 3_600_000
  await queues.bus.queue('upkeep').add('ofYesterday', { payload: {} }, { timestamp })
  await eventually(async () => (await counts(queues)).failed === 1)
  expect(queues.logged).toEqual([expect.objectContaining({ level: 50, job: 'ofYesterday' })])
})

test.concurrent('a worker waits until the millisecond at which a delayed job is due', async (context) => {
  const { bus, serve } = await start(context)
  const { hostname, port } = new URL(shared.url)
  const monitor = connect(Number(port), hostname)
  context.onTestFinished(() => void monitor.destroy())
  let commands = ''
  monitor.setEncoding('utf8').on('data', (text: string) => {
    commands += text
  })
  monitor.write('MONITOR\r\n')
  await eventually(async () => commands.startsWith('+OK'))
  const marker = bus.queue('upkeep').toKey('marker')
  const { seen, handler } = failing(0, away)
  serve({ purgeExpired: handler })
  await bus.send('purgeExpired', {}, { delayMs: 1_500 })
  await eventually(async () => seen.done === 1)
  const waits = [...commands.matchAll(/"bzpopmin" "(.*)" "(.*)"/gi)].filter(([, key]) => key === marker)
  expect(waits.filter(([, , seconds]) => !Number.isInteger(Number(seconds)))).not.toEqual([])
})

test.concurrent('an outage of a dependency uses none of the attempts of a job', async (context) => {
  const queues = await start(context)
  // It has three.
  const { seen, handler } = failing(4, away)
  queues.serve({ purgeExpired: handler })
  await queues.bus.send('purgeExpired', {})
  await eventually(async () => seen.done === 1)
  expect(seen.calls).toBe(5)
})

test.concurrent('a job that is scheduled every second ends in an outage and does not wait for its end', async (context) => {
  const queues = await start(context)
  const { seen, handler } = failing(8, away)
  queues.serve({ publishList: handler }, 'signing-bulk')
  // As its scheduler does it. With the pauses of an outage the loop would take minutes, and the test would time out.
  while (seen.done === 0) {
    const payload = { tenantId: 'tenant', listId: 'list' }
    await queues.bus.sendMany('publishList', [{ payload, options: { id: 'list' } }])
    await sleep(100)
  }
  const msg = 'job postponed, a dependency is unavailable'
  expect(queues.logged).toEqual([expect.objectContaining({ job: 'publishList', level: 40, msg })])
})

test.concurrent('an outage that another error wraps is treated the same', async (context) => {
  const queues = await start(context)
  const { seen, handler } = failing(4, () => new Error('query failed', { cause: away() }))
  queues.serve({ purgeExpired: handler })
  await queues.bus.send('purgeExpired', {})
  await eventually(async () => seen.done === 1)
})

test.concurrent('a caller that waits for a job gets the problem of a long outage, and the result after a short one', async (context) => {
  const queues = await start(context)
  const { seen, handler } = failing(1, away)
  const lasting = failing(9, away)
  queues.serve({ purgeExpired: handler, recoverIssuances: lasting.handler })
  await queues.bus.call('purgeExpired', {}, { deadlineMs: 60_000 })
  expect(seen.done).toBe(1)

  // The reply comes before the deadline, which is longer than the test may take.
  await expect(queues.bus.call('recoverIssuances', {}, { deadlineMs: 600_000 })).rejects.toMatchObject({
    problem: 'service_unavailable',
  })
})

test.concurrent('a caller whose reply is lost gets the reply of a second run', async (context) => {
  const redis = await startRedis()
  context.onTestFinished(() => redis.stop())
  const queues = await start(context, redis)
  const admin = connectPatient(redis.url)
  context.onTestFinished(() => admin.disconnect())
  let runs = 0
  queues.serve({
    async purgeExpired() {
      // The reply of the first run comes before the caller has subscribed again.
      if (++runs === 1) await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
      return runs
    },
  })
  expect(await queues.bus.call('purgeExpired', {}, { deadlineMs: 60_000 })).toBe(2)
  expect(await counts(queues)).toEqual({ delayed: 0, failed: 0, waiting: 0, active: 0 })
})

test.concurrent('any other problem ends a job at once', async (context) => {
  const queues = await start(context)
  const { seen, handler } = failing(9, () => new Problem('not_found'))
  queues.serve({ purgeExpired: handler })
  await expect(queues.bus.call('purgeExpired', {}, { deadlineMs: 60_000 })).rejects.toMatchObject({
    problem: 'not_found',
  })
  // Another attempt would wait as a delayed job.
  await eventually(async () => (await counts(queues)).active === 0)
  expect(await counts(queues)).toEqual({ delayed: 0, failed: 1, waiting: 0, active: 0 })
  expect(seen.calls).toBe(1)
})

test.concurrent('a sealed job that fails is removed, also if no caller waits for it', async (context) => {
  const queues = await start(context)
  const signing = queues.bus.queue('signing')
  const { seen, handler } = failing(9, () => new Problem('not_found'))
  queues.serve({ signDirectly: handler }, 'signing')
  await queues.bus.send('signDirectly', { items: [] })
  await eventually(async () => seen.calls === 1 && (await signing.getJobCountByTypes('active')) === 0)
  expect(await signing.getJobCountByTypes('failed', 'waiting', 'delayed')).toBe(0)
})

test.concurrent.for([
  ['is full', ['maxmemory', '1'], ['maxmemory', '0']],
  ['cannot save', ['min-replicas-to-write', '3'], ['min-replicas-to-write', '0']],
] as const)(
  'a Redis that %s is retried after a pause, with one log line in several seconds',
  async ([, [name, value], [, normal]], context) => {
    const redis = await startRedis()
    context.onTestFinished(() => redis.stop())
    const queues = await start(context, redis)
    const done = new Set<string>()
    const worker = queues.serve({
      purgeExpired: async ({ id }: { id: string }) => {
        await sleep(50)
        done.add(id)
      },
    })
    const some = Array.from({ length: 40 }, (_, at) => ({
      name: 'purgeExpired',
      data: { payload: { id: String(at) } },
    }))
    await queues.bus.queue('upkeep').addBulk(some)
    await eventually(async () => done.size > 0)

    const admin = connectPatient(redis.url)
    context.onTestFinished(() => admin.disconnect())
    await admin.config('SET', name!, value!)
    const commands = async () => Number(/total_commands_processed:(\d+)/.exec(await admin.info('stats'))?.[1])
    let pauses = 0
    worker.on('resumed', () => pauses++)
    let errors = 0
    worker.on('error', () => errors++)
    const [before, startedAt] = [await commands(), performance.now()]
    await eventually(async () => queues.logged.length > 0 && (pauses >= 3 || errors > 100))
    const asked = (await commands()) - before
    // There are at most three kinds of lines, each once in five seconds.
    expect(queues.logged.length).toBeLessThanOrEqual(3 * (1 + Math.floor((performance.now() - startedAt) / 5_000)))
    await admin.config('SET', name!, normal!)
    // Completed work sends commands too. A worker without pauses sends thousands for each of its pauses.
    expect(errors).toBeLessThan(100)
    expect(asked).toBeLessThan(2_000)
    // The one that could not be marked as done is taken over.
    await eventually(async () => done.size === some.length && (await counts(queues)).active === 0)
  },
)

test.concurrent('a problem ends a job and is returned to the waiting caller, or logged without one', async (context) => {
  const queues = await start(context)
  const gone = failing(2, () => new Problem('not_found'))
  queues.serve({ purgeExpired: gone.handler })
  await expect(queues.bus.call('purgeExpired', {}, { deadlineMs: 60_000 })).rejects.toMatchObject({
    problem: 'not_found',
  })
  expect(queues.logged).toEqual([])
  await queues.bus.send('purgeExpired', {})
  const [logged] = await eventually(async () => queues.logged.length > 0 && queues.logged)
  expect(logged).toMatchObject({ job: 'purgeExpired', msg: 'job refused', level: 50 })
  expect(gone.seen.calls).toBe(2)
})

test.concurrent('a failed job in Redis contains no values of a query', async (context) => {
  const queues = await start(context)
  const message = 'Failed query: insert into t\nparams: whispered'
  const { seen, handler } = failing(10, () => new DrizzleQueryError('insert into t', ['whispered'], new Error(message)))
  queues.serve({ purgeExpired: handler })
  await queues.bus.send('purgeExpired', {})
  const job = await eventually(async () => {
    const [found] = await queues.bus.queue('upkeep').getJobs(['delayed', 'failed'])
    return seen.calls > 0 && found?.failedReason ? found : undefined
  })
  expect(JSON.stringify([job.failedReason, job.stacktrace])).not.toContain('whispered')
  const logged = await eventually(async () => queues.logged.find(({ msg }) => msg === 'job failed'))
  expect(logged).toMatchObject({ job: 'purgeExpired' })
})
