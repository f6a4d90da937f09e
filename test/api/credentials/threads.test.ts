import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createThreads } from '../../../shared/threads/threads.ts'

/** Answers how often it was asked. Some questions it never answers, or dies of. */
const code = `
  import { answerInputs } from '${new URL('../../../shared/threads/answer-inputs.ts', import.meta.url)}'
  let asked = 0
  const usedMs = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000 }
  const burn = (ms) => { for (const end = usedMs() + ms; usedMs() < end; ); }
  const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  answerInputs((text) => {
    if (text === 'for ever') for (;;);
    if (text === 'memory') { const all = []; for (;;) all.push(new Array(100000).fill(text)) }
    if (text === 'bug') throw new Error('a bug')
    if (text === 'burn') burn(250)
    if (text === 'sleep') sleep(800)
    if (text === 'sleep long') sleep(60000)
    return ++asked
  })`
const file = new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const limits = { cpuMs: 500, withinMs: 20_000 }
const newThreads = (isKept: boolean, maxWaiting = 200) =>
  createThreads<string, number>({ file, ...limits, isKept, maxWaiting })
const whose = (tenantId: string, ms = 20_000) => ({ tenantId, deadlineAt: performance.now() + ms })

/** Loops on more threads than there are cores, until disposed. */
function busyMachine() {
  const loops = Array.from({ length: 2 * availableParallelism() }, () => new Worker('for (;;);', { eval: true }))
  return { [Symbol.asyncDispose]: async () => void (await Promise.all(loops.map((loop) => loop.terminate()))) }
}

test('what limits an input is CPU time of its thread: neither a busy machine nor a thread that waits takes any', async () => {
  const threads = createThreads<string, number>({ file, cpuMs: 500, withinMs: 60_000, isKept: true, maxWaiting: 200 })
  expect(await threads.run('sleep', whose('a'))).toBe(1)
  await using _ = busyMachine()
  expect(await threads.run('burn', whose('a', 60_000))).toBe(2)
})

test('a thread that gets no CPU time within the bound is ended, which says nothing about its input', async () => {
  const threads = createThreads<string, number>({ file, cpuMs: 500, withinMs: 1_000, isKept: true, maxWaiting: 200 })
  await expect(threads.run('sleep long', whose('a'))).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 })
  expect(await threads.run('x', whose('a'))).toBe(1)
})

test('threads that are prepared are started before they are needed, and another one as soon as one is taken', async () => {
  let started = 0
  const count = () => started++
  process.on('worker', count)
  onTestFinished(() => void process.off('worker', count))
  const once = newThreads(false)
  once.prepare()
  await vi.waitFor(() => expect(started).toBe(1))
  expect(await once.run('x', whose('a'))).toBe(1)
  expect(started).toBe(2)
  expect(await once.run('x', whose('a'))).toBe(1)
  expect(started).toBe(3)

  const kept = newThreads(true)
  kept.prepare()
  const answers = [await kept.run('x', whose('a')), await kept.run('x', whose('a')), await kept.run('x', whose('a'))]
  expect([started, answers]).toEqual([5, [1, 2, 3]])
  await Promise.all(['a', 'b'].map((tenant) => kept.run('for ever', whose(tenant))))
  expect(started).toBe(6)
})

test('a thread that is kept takes one input after the other, and ends with one that it does not manage', async () => {
  const threads = newThreads(true)
  const run = (input: string) => threads.run(input, whose('a'))
  expect([await run('x'), await run('x')]).toEqual([1, 2])
  expect(await run('for ever')).toBeUndefined()
  expect([await run('x'), await run('x')]).toEqual([1, 2])
  await expect(run('bug')).rejects.toThrow('a bug')
  expect(await run('x')).toBe(1)
})

test('a thread that is kept ends when it has had nothing to do for so long', async () => {
  const threads = createThreads<string, number>({ file, ...limits, isKept: true, restMs: 200, maxWaiting: 200 })
  const run = () => threads.run('x', whose('a'))
  expect([await run(), await run()]).toEqual([1, 2])
  await vi.waitFor(async () => expect(await run()).toBe(1), { interval: 500, timeout: 5_000 })
})

test('a thread that is not kept is another one for each input', async () => {
  const threads = newThreads(false)
  expect([await threads.run('x', whose('a')), await threads.run('x', whose('a'))]).toEqual([1, 1])
})

test('a tenant waits for itself alone, no longer than its deadline, and in a line that has an end', async () => {
  const threads = newThreads(true)
  const order: string[] = []
  const tell = (name: string) => (outcome: unknown) => void order.push(`${name} ${outcome}`)
  const stubborn = Array.from({ length: 2 }, () => threads.run('for ever', whose('stubborn')).then(tell('stubborn')))
  const late = threads.run('x', whose('stubborn', 300)).catch((error) => error.status)
  await threads.run('x', whose('other')).then(tell('other'))
  expect(await late).toBe(503)
  const line = Array.from({ length: 30 }, () => threads.run('x', whose('stubborn')).catch((error) => error.status))
  await Promise.all(stubborn)
  expect(order).toEqual(['other 1', 'stubborn undefined', 'stubborn undefined'])
  expect((await Promise.all(line)).filter((outcome) => outcome === 503).length).toBeGreaterThanOrEqual(10)
})

test('no more wait than may be kept in memory, however many tenants they are of', async () => {
  const threads = newThreads(true, 3)
  const outcomes = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((tenant) => threads.run('x', whose(tenant)).catch((error) => error.status)),
  )
  expect(outcomes.map((outcome) => outcome === 503)).toEqual([false, false, false, false, false, true])
})

test('what is large is read when its turn has come, and not at all where it was not waited for', async () => {
  const threads = newThreads(true)
  const read: string[] = []
  const reading = (name: string) => () => {
    read.push(name)
    return Promise.resolve(name === 'gone' ? undefined : name)
  }
  const first = threads.runRead(reading('for ever'), whose('a'))
  const late = threads.runRead(reading('late'), whose('a', 100)).catch((error) => error.status)
  const next = [threads.runRead(reading('x'), whose('a')), threads.runRead(reading('gone'), whose('a'))]
  expect(await late).toBe(503)
  expect(read).toEqual(['for ever'])
  expect([await first, ...(await Promise.all(next))]).toEqual([undefined, 1, undefined])
  expect(read).toEqual(['for ever', 'x', 'gone'])
  await expect(threads.runRead(() => Promise.reject(new Error('away')), whose('a'))).rejects.toThrow('away')
  expect(await threads.run('x', whose('a'))).toBe(2)
})
