import { expect, test, vi } from 'vitest'
import { createThreads } from '../../../shared/threads.ts'

/** Answers how often it was asked; some questions it never answers, or dies of. */
const code = `
  import { parentPort } from 'node:worker_threads'
  let asked = 0
  parentPort.on('message', (text) => {
    if (text === 'for ever') for (;;);
    if (text === 'memory') { const all = []; for (;;) all.push(new Array(100000).fill(text)) }
    if (text === 'bug') throw new Error('a bug')
    parentPort.postMessage(++asked)
  })`
const file = new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const newThreads = (isKept: boolean, line = 200) =>
  createThreads<string, number>({ file, withinMs: 1_000, isKept, line })
const whose = (tenantId: string, ms = 20_000) => ({ tenantId, deadlineAt: performance.now() + ms })

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
  const threads = createThreads<string, number>({ file, withinMs: 1_000, isKept: true, restMs: 200, line: 200 })
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
