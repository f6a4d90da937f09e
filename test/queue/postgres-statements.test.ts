import { type BackendFactory, withBackend } from 'bullmq'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { ConnectionPool } from '../../db/engine/postgres-pool.ts'
import { openDatabaseQueues } from '../../db/queue/database-queues.ts'
import { openNewDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'

/** Opens the queues of a process, and keeps the texts of their statements. */
async function startCounted() {
  const { db, url, drop } = await openNewDatabase()
  const { postgres } = db
  if (!postgres) throw new Error('These tests are about PostgreSQL.')
  const texts: string[] = []
  const openPool: typeof postgres.openPool = (options) => recorded(postgres.openPool(options), texts)
  const queues = openDatabaseQueues({ ...db, postgres: { ...postgres, openPool } }, postgres.openSignals())
  onTestFinished(async () => {
    await queues.close()
    await drop()
  })
  return { url, backend: queues.backend, texts, of: (name: string) => texts.filter((text) => text.includes(name)) }
}

function recorded(pool: ConnectionPool, texts: string[]): ConnectionPool {
  return {
    ...pool,
    async connect() {
      const client = await pool.connect()
      return new Proxy(client, {
        get(target, name) {
          const value = Reflect.get(target, name)
          if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value
          return (config: { text: string }) => {
            texts.push(config.text)
            return target.query(config)
          }
        },
      })
    },
  }
}

/** Opens a queue, and a worker that looks only after a notification. */
function openQueue(backend: BackendFactory, name: string, ran: string[] = []) {
  const { Queue, Worker } = withBackend(backend)
  const queue = new Queue(name, { connection: {}, skipMetasUpdate: true })
  const rare = { connection: {}, drainDelay: 600, skipStalledCheck: true }
  const worker = new Worker(name, async ({ name: job }) => void ran.push(job), {
    ...rare,
    autorun: false,
    concurrency: 4,
  })
  onTestFinished(async () => void (await Promise.all([queue.close(), worker.close(true)])))
  return { queue, worker }
}

const removed = { removeOnComplete: true }

test('a run of a schedule is two statements, and adds the next run without a notification', {
  tags: 'postgres',
}, async () => {
  const { backend, texts } = await startCounted()
  const { queue, worker } = openQueue(backend, 'upkeep')
  await queue.upsertJobScheduler('search', { every: 60_000 }, { name: 'search', data: { of: 1 }, opts: removed })
  texts.length = 0

  const job = await worker.getNextJob('token', { block: false })
  expect(job).toMatchObject({ name: 'search', repeatJobKey: 'search', data: { of: 1 } })
  await job?.moveToCompleted(undefined, 'token', true)
  expect(texts).toHaveLength(2)

  const [next, ...others] = await queue.getJobs(['delayed'])
  expect(others).toEqual([])
  expect(next).toMatchObject({ name: 'search', repeatJobKey: 'search', data: { of: 1 }, opts: removed })
  expect(await queue.getJobSchedulers()).toMatchObject([{ iterationCount: 2, next: Number(next?.id?.split(':')[2]) }])
  expect(texts.filter((text) => text.includes('update_job_scheduler'))).toEqual([])
})

test('a worker that took the last job does not look for another one', { tags: 'postgres' }, async () => {
  const { backend, of } = await startCounted()
  const ran: string[] = []
  const { queue, worker } = openQueue(backend, 'upkeep', ran)
  void worker.run()
  await queue.add('first', {}, removed)
  await eventually(async () => ran.length === 1 && (await queue.getJobCounts('active')).active === 0)
  const looks = () => of('take_job').length
  const before = looks()

  await queue.add('second', {}, removed)
  await eventually(async () => ran.length === 2 && (await queue.getJobCounts('active')).active === 0)
  // One takes the job, and one completes it.
  expect(looks() - before).toBe(2)
  await queue.addBulk(['third', 'fourth', 'fifth'].map((name) => ({ name, data: {}, opts: removed })))
  await eventually(async () => ran.length === 5)
  expect(ran.toSorted()).toEqual(['fifth', 'first', 'fourth', 'second', 'third'])
})

test('jobs are added with one statement and one notification, without temporary tables', {
  tags: 'postgres',
}, async () => {
  const { url, backend, texts } = await startCounted()
  const { queue } = openQueue(backend, 'upkeep')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  const channels: string[] = []
  client.on('notification', ({ channel, payload }) => channels.push(`${channel} ${payload}`))
  await client.query('LISTEN bullmq_jobs; LISTEN last')

  await queue.addBulk(['b', 'a', 'b', 'c'].map((jobId) => ({ name: 'one', data: {}, opts: { jobId, ...removed } })))
  await queue.addBulk([{ name: 'one', data: {}, opts: { jobId: 'a' } }])
  const unnamed = await queue.addBulk(
    Array.from({ length: 3 }, () => ({ name: 'one', data: {}, opts: { delay: 1e6 } })),
  )
  expect(texts).toHaveLength(3)
  // The function of BullMQ creates temporary tables.
  expect(texts.filter((text) => text.includes('add_jobs_bulk'))).toEqual([])
  await client.query('NOTIFY last')
  await eventually(async () => channels.some((channel) => channel.startsWith('last')))
  // The second statement added no job.
  expect(channels).toEqual(['bullmq_jobs upkeep', 'bullmq_jobs upkeep', 'last '])
  expect((await queue.getJobs('waiting', 0, -1, true)).map(({ id }) => id)).toEqual(['b', 'a', 'c'])
  expect((await queue.getDelayed()).map(({ id }) => id).toSorted()).toEqual(unnamed.map(({ id }) => id).toSorted())
})

test('a process looks for interrupted jobs of all its queues with one statement, while no lock can have expired', {
  tags: 'postgres',
}, async () => {
  const { backend, of } = await startCounted()
  const names = ['publishing', 'delivery', 'upkeep']
  const options = { connection: {}, lockDuration: 600_000 }
  const backends = names.map((name) => backend(name, options))
  const search = () => Promise.all(backends.map((each) => each.moveStalledJobsToWait()))
  for (const each of backends) await each.moveStalledJobsToWait()
  const first = of('locked_until_ms').length
  expect(first).toBe(names.length)
  await search()
  expect(of('locked_until_ms')).toHaveLength(first)
  expect(of('move_stalled_jobs_to_wait')).toEqual([])
})
