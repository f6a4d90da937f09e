import { DelayedError } from 'bullmq'
import { expect } from 'vitest'
import { eventually } from '../harness/harness.ts'
import { newQueue, testOnBackends } from './backends.ts'

const removed = { removeOnComplete: true, removeOnFail: true }

testOnBackends('a job runs once and is removed', async (backend) => {
  const { queue, serve } = await newQueue(backend)
  const seen: unknown[] = []
  await queue.add('one', { payload: { of: 'a tenant' } }, { jobId: 'first-id', ...removed })
  serve(async ({ id, name, data, attemptsMade, attemptsStarted, stalledCounter }) => {
    seen.push({ id, name, data, attemptsMade, attemptsStarted, stalledCounter })
  })
  await eventually(async () => seen.length > 0 && (await queue.getJob('first-id')) === undefined)
  const counts = { attemptsMade: 0, attemptsStarted: 1, stalledCounter: 0 }
  expect(seen).toEqual([{ id: 'first-id', name: 'one', data: { payload: { of: 'a tenant' } }, ...counts }])
})

testOnBackends('a job with the id of another one is not added', async (backend) => {
  const { queue } = await newQueue(backend)
  await queue.add('one', { number: 1 }, { jobId: 'same' })
  expect((await queue.add('one', { number: 2 }, { jobId: 'same' })).id).toBe('same')
  const ids = (
    await queue.addBulk(['same', 'other', 'other'].map((jobId) => ({ name: 'one', data: {}, opts: { jobId } })))
  ).map(({ id }) => id)
  expect(ids).toEqual(['same', 'other', 'other'])
  expect(await queue.getJobCounts('waiting')).toEqual({ waiting: 2 })
  expect((await queue.getJob('same'))?.data).toEqual({ number: 1 })
})

testOnBackends('a failed attempt is repeated after its pause, and the last one stays as failed', async (backend) => {
  const { queue, serve } = await newQueue(backend)
  const attempts: number[] = []
  const pauses: number[] = []
  await queue.add(
    'one',
    {},
    { jobId: 'failing', attempts: 3, backoff: { type: 'custom', delay: 1 }, stackTraceLimit: 2 },
  )
  serve(
    async ({ attemptsMade }) => {
      attempts.push(attemptsMade)
      throw new Error(`attempt ${attemptsMade}`)
    },
    { settings: { backoffStrategy: (made) => pauses.push(made) * 10 } },
  )
  const job = await eventually(async () => {
    const job = await queue.getJob('failing')
    return job?.finishedOn !== undefined && job
  })
  expect(attempts).toEqual([0, 1, 2])
  expect(pauses).toEqual([1, 2])
  expect(job).toMatchObject({ attemptsMade: 3, attemptsStarted: 3, failedReason: 'attempt 2' })
  expect(job.stacktrace).toHaveLength(2)
  expect(await queue.getJobState('failing')).toBe('failed')
})

testOnBackends('a delayed job waits for its time', async (backend) => {
  const { queue, serve } = await newQueue(backend)
  const early: number[] = []
  let done = 0
  const run = async ({ timestamp, opts }: { timestamp: number; opts: { delay?: number } }) => {
    early.push(timestamp + (opts.delay ?? 0) - Date.now())
    done++
  }
  serve(run as never)
  await queue.add('late', {}, { delay: 300, ...removed })
  await queue.add('soon', {}, { delay: 60, ...removed })
  expect(await queue.getJobCounts('delayed')).toEqual({ delayed: 2 })
  await eventually(async () => done === 2)
  expect(Math.max(...early)).toBeLessThanOrEqual(0)
})

testOnBackends('jobs run in the order of priorities, then of their adding', async (backend) => {
  const { queue, serve } = await newQueue(backend)
  const of = (jobId: string, priority?: number) => ({
    name: 'one',
    data: {},
    opts: { jobId, ...(priority === undefined ? {} : { priority }) },
  })
  await queue.addBulk([of('c1', 5), of('b1', 2), of('a1'), of('b2', 2)])
  await queue.addBulk([of('a2'), of('c2', 5)])
  expect(await queue.getJobCounts('waiting', 'prioritized')).toEqual({ waiting: 2, prioritized: 4 })
  expect(await queue.getRanges(['waiting', 'prioritized'], 0, -1, true)).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2'])
  expect(await queue.getRanges(['waiting', 'prioritized'], 0, 0, true)).toEqual(['a1', 'b1'])
  expect(await queue.getRanges(['prioritized'], 0, 0, false)).toEqual(['c2'])
  const ran: (string | undefined)[] = []
  serve(async ({ id }) => void ran.push(id))
  await eventually(async () => ran.length === 6)
  expect(ran).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2'])
})

testOnBackends('jobs of another connection wake a worker that waits', async (backend) => {
  const { queue, another, serve } = await newQueue(backend)
  const other = another().queue
  const ran: (string | undefined)[] = []
  // Without a signal, the worker waits for an hour.
  const worker = serve(async ({ id }) => void ran.push(id), { drainDelay: 3_600 })
  const waits = () => new Promise<void>((resolve) => worker.once('drained', () => resolve()))
  const first = waits()
  await queue.add('one', {}, { jobId: 'same-connection', ...removed })
  await first
  const second = waits()
  await other.add('one', {}, { jobId: 'other-connection', ...removed })
  await second
  await other.add('one', {}, { jobId: 'late', delay: 300, ...removed })
  await eventually(async () => ran.length === 3)
  expect(ran).toEqual(['same-connection', 'other-connection', 'late'])
})

testOnBackends('a job that postpones itself runs after those that wait', async (backend) => {
  const { queue, serve } = await newQueue(backend)
  for (const jobId of ['postponed', 'second', 'third']) await queue.add('one', {}, { jobId, ...removed })
  const order: unknown[] = []
  serve(async (job, token) => {
    if (order.push(job.id) > 1) return
    await job.moveToDelayed(Date.now(), token)
    throw new DelayedError()
  })
  await eventually(async () => order.length === 4)
  expect(order).toEqual(['postponed', 'second', 'third', 'postponed'])
})
