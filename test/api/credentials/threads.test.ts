import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createThreads } from '../../../shared/threads/threads.ts'

/** Answers with the number of inputs so far. Some inputs loop, fail or exhaust the memory. Shared memory waits until it is changed. */
const code = `
  import { answerInputs } from '${new URL('../../../shared/threads/answer-inputs.ts', import.meta.url)}'
  let count = 0
  const usedMs = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000 }
  const burn = (ms) => { for (const end = usedMs() + ms; usedMs() < end; ); }
  const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  answerInputs((text) => {
    if (text instanceof SharedArrayBuffer) Atomics.wait(new Int32Array(text), 0, 0)
    if (text === 'for ever') for (;;);
    if (text === 'memory') { const all = []; for (;;) all.push(new Array(100000).fill(text)) }
    if (text === 'bug') throw new Error('a bug')
    if (text === 'burn') burn(250)
    if (text === 'sleep') sleep(800)
    if (text === 'sleep long') sleep(60000)
    return ++count
  })`
const file = new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const limits = { cpuMs: 500, withinMs: 20_000 }
const newThreads = (isKept: boolean, { maxWaiting = 200, hasSpare = false } = {}) =>
  createThreads<string | SharedArrayBuffer, number>({ file, ...limits, isKept, maxWaiting, hasSpare })
const callOf = (tenantId: string, ms = 20_000) => ({ tenantId, deadlineAt: performance.now() + ms })

/** Loops on more threads than there are cores until disposed. */
function busyMachine() {
  const loops = Array.from({ length: 2 * availableParallelism() }, () => new Worker('for (;;);', { eval: true }))
  return { [Symbol.asyncDispose]: async () => void (await Promise.all(loops.map((loop) => loop.terminate()))) }
}

test('the limit of an input is CPU time of its thread, which a busy machine or a waiting thread does not use', async () => {
  const threads = createThreads<string, number>({ file, cpuMs: 500, withinMs: 60_000, isKept: true, maxWaiting: 200 })
  expect(await threads.run('sleep', callOf('a'))).toBe(1)
  await using _ = busyMachine()
  expect(await threads.run('burn', callOf('a', 60_000))).toBe(2)
})

test('a thread without CPU time within its limit is ended with 503, without a verdict on its input', async () => {
  const threads = createThreads<string, number>({ file, cpuMs: 500, withinMs: 1_000, isKept: true, maxWaiting: 200 })
  await expect(threads.run('sleep long', callOf('a'))).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 })
  // On a busy machine a new thread can miss its limit, too.
  await expect.poll(() => threads.run('x', callOf('a')).catch(() => 'late')).toBe(1)
})

test('no thread starts before the first input, and then a spare one starts before it is needed', async () => {
  let started = 0
  const count = () => started++
  process.on('worker', count)
  onTestFinished(() => void process.off('worker', count))
  // Node reports a new thread in the next tick, which can be after the answers.
  const once = newThreads(false, { hasSpare: true })
  expect(started).toBe(0)
  expect(await once.run('x', callOf('a'))).toBe(1)
  await expect.poll(() => started).toBe(2)
  expect(await once.run('x', callOf('a'))).toBe(1)
  await expect.poll(() => started).toBe(3)

  const kept = newThreads(true, { hasSpare: true })
  const answers = [await kept.run('x', callOf('a')), await kept.run('x', callOf('a')), await kept.run('x', callOf('a'))]
  await expect.poll(() => started).toBe(5)
  expect(answers).toEqual([1, 2, 3])
  await Promise.all(['a', 'b'].map((tenant) => kept.run('for ever', callOf(tenant))))
  await expect.poll(() => started).toBe(6)
})

test('a kept thread handles one input after the other and ends after an input that it cannot handle', async () => {
  const threads = newThreads(true)
  const run = (input: string) => threads.run(input, callOf('a'))
  expect([await run('x'), await run('x')]).toEqual([1, 2])
  expect(await run('for ever')).toBeUndefined()
  expect([await run('x'), await run('x')]).toEqual([1, 2])
  await expect(run('bug')).rejects.toThrow('a bug')
  expect(await run('x')).toBe(1)
})

test('a kept thread ends after it was idle for the rest period', async () => {
  const threads = createThreads<string, number>({ file, ...limits, isKept: true, restMs: 200, maxWaiting: 200 })
  const run = () => threads.run('x', callOf('a'))
  expect([await run(), await run()]).toEqual([1, 2])
  await expect.poll(run, { interval: 500 }).toBe(1)
})

test('a thread that is not kept handles one input', async () => {
  const threads = newThreads(false)
  expect([await threads.run('x', callOf('a')), await threads.run('x', callOf('a'))]).toEqual([1, 1])
})

test('a tenant waits only for its own inputs, until its deadline and in a limited line', async () => {
  const threads = newThreads(true)
  const order: string[] = []
  const record = (name: string) => (outcome: unknown) => void order.push(`${name} ${outcome}`)
  const stop = new SharedArrayBuffer(4)
  const stubborn = Array.from({ length: 2 }, () => threads.run(stop, callOf('stubborn')).then(record('stubborn')))
  const late = threads.run('x', callOf('stubborn', 300)).catch((error) => error.status)
  await threads.run('x', callOf('other')).then(record('other'))
  expect(await late).toBe(503)
  const line = Array.from({ length: 30 }, () => threads.run('x', callOf('stubborn')).catch((error) => error.status))
  Atomics.store(new Int32Array(stop), 0, 1)
  Atomics.notify(new Int32Array(stop), 0)
  await Promise.all(stubborn)
  expect(order).toEqual(['other 1', 'stubborn 1', 'stubborn 2'])
  expect((await Promise.all(line)).filter((outcome) => outcome === 503).length).toBeGreaterThanOrEqual(10)
})

test('the number of waiting inputs of all tenants is limited', async () => {
  const threads = newThreads(true, { maxWaiting: 3 })
  const outcomes = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((tenant) => threads.run('x', callOf(tenant)).catch((error) => error.status)),
  )
  expect(outcomes.map((outcome) => outcome === 503)).toEqual([false, false, false, false, false, true])
})

test('a large input is read only when it starts, and not at all after its deadline', async () => {
  const threads = newThreads(true)
  const read: string[] = []
  const reading = (name: string) => () => {
    read.push(name)
    return Promise.resolve(name === 'gone' ? undefined : name)
  }
  const first = threads.runRead(reading('for ever'), callOf('a'))
  const late = threads.runRead(reading('late'), callOf('a', 100)).catch((error) => error.status)
  const next = [threads.runRead(reading('x'), callOf('a')), threads.runRead(reading('gone'), callOf('a'))]
  expect(await late).toBe(503)
  expect(read).toEqual(['for ever'])
  expect([await first, ...(await Promise.all(next))]).toEqual([undefined, 1, undefined])
  expect(read).toEqual(['for ever', 'x', 'gone'])
  await expect(threads.runRead(() => Promise.reject(new Error('away')), callOf('a'))).rejects.toThrow('away')
  expect(await threads.run('x', callOf('a'))).toBe(2)
})
