import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import { eventually } from '../harness/harness.ts'
import { newQueue, testOnBackends } from './backends.ts'
import type { QueueAddress } from './connect.ts'

const removed = { removeOnComplete: true, removeOnFail: true }

/** Starts a process with workers. `started` has the ids of the jobs that it has started. */
function startWorkers(address: QueueAddress, lockMs: number) {
  const program = join(import.meta.dirname, 'worker-process.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(address), String(lockMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const started: string[] = []
  createInterface(child.stdout).on('line', (id) => started.push(id))
  return { started, kill: () => child.kill('SIGKILL') }
}

testOnBackends('four workers in two processes run no job twice', async (backend) => {
  const { address, queue } = await newQueue(backend)
  const processes = [startWorkers(address, 60_000), startWorkers(address, 60_000)]
  const ran = () => processes.flatMap(({ started }) => started)
  await eventually(async () => {
    await queue.addBulk(processes.map(() => ({ name: 'one', data: {}, opts: removed })))
    return processes.every(({ started }) => started.length > 0)
  })
  const ids = Array.from({ length: 500 }, (_, number) => `job-${number}`)
  await queue.addBulk(ids.map((jobId) => ({ name: 'one', data: {}, opts: { jobId, ...removed } })))
  await eventually(async () => (await queue.getJobCountByTypes('waiting', 'active')) === 0)
  await eventually(async () => ids.every((id) => ran().includes(id)))
  expect(new Set(ran()).size).toBe(ran().length)
})

testOnBackends('another process takes over the job of a killed one', async (backend) => {
  const { address, queue, serve } = await newQueue(backend)
  const first = startWorkers(address, 1_000)
  await queue.add('hang', {}, { jobId: 'interrupted', ...removed })
  await eventually(async () => first.started.includes('interrupted'))
  const seen: unknown[] = []
  serve(
    async ({ attemptsMade, attemptsStarted, stalledCounter }) => {
      seen.push({ attemptsMade, attemptsStarted, stalledCounter })
    },
    { lockDuration: 1_000, stalledInterval: 300, maxStalledCount: 100 },
  )
  first.kill()
  await eventually(async () => seen.length > 0)
  expect(seen).toEqual([{ attemptsMade: 0, attemptsStarted: 2, stalledCounter: 1 }])
})

testOnBackends('the lock of a job is extended while it runs', async (backend) => {
  const { queue, serve } = await newQueue(backend)
  const locks = { lockDuration: 2_000, lockRenewTime: 200, stalledInterval: 100 }
  let [starts, renewals] = [0, 0]
  let startedAt = Number.POSITIVE_INFINITY
  const worker = serve(async () => {
    starts++
    startedAt = Date.now()
    await eventually(async () => Date.now() > startedAt + 2 * locks.lockDuration && renewals > 2)
  }, locks)
  worker.on('locksRenewed', () => renewals++)
  serve(async () => void starts++, locks)
  await queue.add('one', {}, { jobId: 'long', ...removed })
  await eventually(async () => starts > 0 && (await queue.getJob('long')) === undefined)
  expect(starts).toBe(1)
})

testOnBackends('a job that is interrupted more often than allowed fails', async (backend) => {
  const { queue, serve } = await newQueue(backend)
  const options = { lockDuration: 200, stalledInterval: 60, maxStalledCount: 1, skipLockRenewal: true, concurrency: 3 }
  let starts = 0
  serve(async () => {
    starts++
    await new Promise(() => undefined)
  }, options)
  await queue.add('one', {}, { jobId: 'stalling', attempts: 5 })
  const job = await eventually(async () => {
    const job = await queue.getJob('stalling')
    return job?.failedReason ? job : undefined
  })
  expect(starts).toBe(2)
  expect(job).toMatchObject({ failedReason: 'job stalled more than allowable limit', stalledCounter: 2 })
  expect(await queue.getJobState('stalling')).toBe('failed')
})

testOnBackends('a worker that lost its lock cannot end the job', async (backend) => {
  const { queue, serve } = await newQueue(backend)
  await queue.add('one', {}, { jobId: 'taken-over' })
  const idle = serve(async () => undefined, { autorun: false, lockDuration: 1 })
  const first = await eventually(async () => idle.getNextJob('first', { block: false }))
  const next = serve(async () => undefined, { autorun: false, lockDuration: 60_000, stalledInterval: 1 })
  const second = await eventually(async () => {
    await next.startStalledCheckTimer()
    return next.getNextJob('second', { block: false })
  })
  expect(second.id).toBe('taken-over')
  await expect(first.moveToCompleted('late', 'first', false)).rejects.toThrow('taken-over')
  await expect(first.extendLock('first', 1_000)).resolves.toBe(0)
  await expect(second.extendLock('second', 60_000)).resolves.toBe(1)
  expect(await queue.getJobState('taken-over')).toBe('active')
  await second.moveToCompleted('in time', 'second', false)
  expect(await queue.getJobState('taken-over')).toBe('completed')
  expect((await queue.getJob('taken-over'))?.returnvalue).toBe('in time')
})
