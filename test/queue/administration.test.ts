import { expect, test } from 'vitest'
import { queueSchema } from '../../db/queue/queue-schema.ts'
import { eventually } from '../harness/harness.ts'
import { onServer } from '../harness/on-server.ts'
import { newQueue, testOnBackends } from './backends.ts'

const job = (jobId: string, opts: object = {}) => ({ name: 'one', data: {}, opts: { jobId, ...opts } })

testOnBackends('a paused queue starts no job until it is resumed', async (backend) => {
  const side = await newQueue(backend)
  const { queue } = side.another()
  await side.queue.pause()
  expect(await queue.isPaused()).toBe(true)
  const ran: (string | undefined)[] = []
  side.serve(async ({ id }) => void ran.push(id), { drainDelay: 1 })
  await queue.add('one', {}, { jobId: 'first' })
  await queue.add('one', {}, { jobId: 'urgent', priority: 1 })
  // A worker looks for jobs each second.
  const at = Date.now()
  await eventually(async () => Date.now() > at + 1_500)
  expect(ran).toEqual([])
  await queue.resume()
  expect(await queue.isPaused()).toBe(false)
  await eventually(async () => ran.length === 2)
})

testOnBackends('jobs are counted and listed by state', async (backend) => {
  const { queue, serve } = await newQueue(backend)
  await queue.addBulk([job('failing'), job('running'), job('first'), job('second'), job('late', { delay: 60_000 })])
  await queue.addBulk([job('urgent', { priority: 1 }), job('patient', { priority: 7 })])
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  serve(async ({ id }) => {
    if (id === 'failing') throw new Error('it failed')
    await held
  })
  await eventually(async () => (await queue.getJobState('running')) === 'active')
  const states = ['waiting', 'active', 'delayed', 'failed', 'prioritized', 'completed'] as const
  const counts = { waiting: 2, active: 1, delayed: 1, failed: 1, prioritized: 2, completed: 0 }
  expect(await queue.getJobCounts(...states)).toEqual(counts)
  const ids = async (...types: (typeof states)[number][]) => (await queue.getJobs(types)).map(({ id }) => id)
  expect(await ids('failed')).toEqual(['failing'])
  expect(await ids('active')).toEqual(['running'])
  expect(await ids('waiting')).toEqual(['second', 'first'])
  expect(await ids('delayed', 'prioritized')).toEqual(['late', 'patient', 'urgent'])
  const named = ['failing', 'running', 'first', 'late', 'urgent', 'none']
  expect(await Promise.all(named.map((id) => queue.getJobState(id)))).toEqual([
    ...['failed', 'active', 'waiting', 'delayed', 'prioritized', 'unknown'],
  ])
  release()
})

testOnBackends('failed jobs are kept up to their number and age', async (backend) => {
  const { queue, serve } = await newQueue(backend)
  serve(async () => {
    throw new Error('it failed')
  })
  const failed = async () => (await queue.getJobs(['failed'])).map(({ id }) => id)
  const fail = async (id: string, removeOnFail: object | boolean) => {
    await queue.add('one', {}, { jobId: id, removeOnFail } as object)
    await eventually(async () => !['waiting', 'active'].includes(await queue.getJobState(id)))
  }
  for (const id of ['one', 'two', 'three']) await fail(id, { age: 3_600, count: 2 })
  expect(await failed()).toEqual(['three', 'two'])
  await fail('four', true)
  expect(await failed()).toEqual(['three', 'two'])
  await eventually(async () => Date.now() > ((await queue.getJob('three'))?.finishedOn ?? 0) + 1_000)
  await fail('five', { age: 1 })
  expect(await failed()).toEqual(['five'])
})

testOnBackends('a delayed job can be started at once, and jobs can be removed', async (backend) => {
  const { queue, serve } = await newQueue(backend)
  await queue.addBulk([job('late', { delay: 60_000 }), job('later', { delay: 70_000, priority: 3 }), job('removed')])
  expect(await queue.remove('removed')).toBe(1)
  expect(await queue.getJobState('removed')).toBe('unknown')
  await (await queue.getJob('later'))?.promote()
  await (await queue.getJob('late'))?.promote()
  expect(await queue.getJobState('later')).toBe('prioritized')
  await expect((await queue.getJob('late'))?.promote()).rejects.toThrow('late')
  const ran: (string | undefined)[] = []
  serve(async (each) => {
    if (each.id === 'late') ran.push(String(await queue.remove('late')))
    ran.push(each.id)
  })
  await eventually(async () => ran.length === 3)
  expect(ran).toEqual(['0', 'late', 'later'])
})

testOnBackends('old jobs of a state are removed', async (backend) => {
  const { queue } = await newQueue(backend)
  const timestamp = Date.now() - 60_000
  await queue.addBulk([job('old', { timestamp }), job('older', { timestamp: timestamp - 1 }), job('new')])
  expect(await queue.clean(30_000, 1, 'wait')).toHaveLength(1)
  await queue.clean(30_000, 10, 'wait')
  expect((await queue.getJobs(['waiting'])).map(({ id }) => id)).toEqual(['new'])
})

testOnBackends('an obliterated queue has no jobs and no schedules', async (backend) => {
  const { queue, another } = await newQueue(backend)
  await queue.addBulk([...Array(30).keys()].map((number) => job(`job-${number}`, { priority: (number % 3) + 1 })))
  await queue.upsertJobScheduler('search', { every: 60_000 }, { name: 'search' })
  await queue.obliterate({ force: true, count: 10 })
  const after = another().queue
  expect(await after.getJobCountByTypes('waiting', 'delayed', 'prioritized')).toBe(0)
  expect(await after.getJobSchedulers()).toEqual([])
  expect(await after.isPaused()).toBe(false)
})

test('postgres: jobs are counted up to 100,000', { tags: 'postgres' }, async () => {
  const { address, queue } = await newQueue('postgres')
  await queue.add('one', {}, { jobId: 'one', delay: 60_000 })
  await onServer(
    address.url,
    `INSERT INTO ${queueSchema}.job (queue, id, seq, name, state, added_at_ms)
      SELECT '${address.queue}', 'job-' || number, number, 'one', 'waiting', 0 FROM generate_series(1, 100001) AS number`,
  )
  expect(await queue.getJobCounts('waiting', 'delayed')).toMatchObject({ waiting: 100_000, delayed: 1 })
})
