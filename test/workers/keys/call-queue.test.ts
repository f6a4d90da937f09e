import { setImmediate as tick } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { KeyProviderUnavailable } from '../../../workers/signing/keys/provider.ts'
import { type CallLimits, createCallQueue } from '../../../workers/signing/keys/remote/call-queue.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
})

/** A queue whose calls run until the test ends them. */
function start(limits: Partial<CallLimits> = {}, deadlineMs = 60_000) {
  const queue = createCallQueue('remote:test', { callsPerSecond: 1_000, concurrency: 100, waiting: 1_000, ...limits })
  const running: { name: string; end(): void }[] = []
  const started: string[] = []
  const call = (tenantId: string, name = tenantId) =>
    queue.run(tenantId, performance.now() + deadlineMs, () => {
      const { promise, resolve } = Promise.withResolvers<string>()
      running.push({ name, end: () => resolve(name) })
      started.push(name)
      return promise
    })
  const endNext = async () => {
    running.shift()?.end()
    await tick()
  }
  return { queue, call, running, started, endNext }
}

test('no more calls run at the same time than the limit', async () => {
  const { call, running, started, endNext } = start({ concurrency: 3 })
  const calls = Array.from({ length: 5 }, (_, index) => call('one', `${index}`))
  await tick()
  expect(running).toHaveLength(3)
  await endNext()
  expect(running).toHaveLength(3)
  for (const _ of calls) await endNext()
  expect(await Promise.all(calls)).toEqual(['0', '1', '2', '3', '4'])
  expect(started).toEqual(['0', '1', '2', '3', '4'])
})

test('in each second no more calls start than the limit, and the others start in the next second', async () => {
  const { call, started } = start({ callsPerSecond: 2 })
  for (const name of ['a', 'b', 'c', 'd', 'e']) void call('one', name)
  await tick()
  expect(started).toEqual(['a', 'b'])
  await vi.advanceTimersByTimeAsync(999)
  expect(started).toEqual(['a', 'b'])
  await vi.advanceTimersByTimeAsync(1)
  expect(started).toEqual(['a', 'b', 'c', 'd'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('a tenant with many calls does not delay the call of another tenant', async () => {
  const { call, started, endNext } = start({ concurrency: 1 })
  for (let each = 0; each < 50; each++) void call('busy')
  void call('other')
  await tick()
  await endNext()
  await endNext()
  expect(started).toContain('other')
})

test('a call that cannot start before its deadline is rejected, and does not start later', async () => {
  const { call, started, endNext } = start({ concurrency: 1 }, 500)
  const first = call('one', 'first')
  const late = expect(call('one', 'late')).rejects.toThrow('calls wait too long')
  await vi.advanceTimersByTimeAsync(500)
  await late
  await endNext()
  expect(await first).toBe('first')
  expect(started).toEqual(['first'])
})

test('a call is rejected at once if too many wait, and one tenant can fill only half of the queue', async () => {
  const { call } = start({ concurrency: 1, waiting: 4 })
  const waiting = ['busy', 'busy', 'busy'].map((tenantId) => call(tenantId).catch(() => 'closed'))
  await expect(call('busy')).rejects.toThrow('too many calls wait')
  waiting.push(
    call('other').catch(() => 'closed'),
    call('other').catch(() => 'closed'),
  )
  await expect(call('third')).rejects.toThrow(KeyProviderUnavailable)
})

test('no call starts during a pause', async () => {
  const { queue, call, started } = start()
  queue.pause(700)
  void call('one')
  await vi.advanceTimersByTimeAsync(699)
  expect(started).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(started).toEqual(['one'])
})

test('waiting calls are rejected when the queue is closed', async () => {
  const { queue, call, endNext } = start({ concurrency: 1 })
  const first = call('one')
  const second = expect(call('one')).rejects.toThrow('the process stops')
  queue.close()
  await second
  await endNext()
  expect(await first).toBe('one')
})

test('a failed call frees its place', async () => {
  const queue = createCallQueue('remote:test', { callsPerSecond: 10, concurrency: 1, waiting: 10 })
  const failed = queue.run('one', 1e9, () => Promise.reject(new Error('failed')))
  const next = queue.run('one', 1e9, async () => 'done')
  await expect(failed).rejects.toThrow('failed')
  expect(await next).toBe('done')
})
