import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SigningQueueLimits } from '../../shared/jobs/definition.ts'
import { createSigningQueue, NeverSent } from '../../shared/jobs/signing-queue.ts'

// Time passes only in the tests, so the order of two timers does not depend on the machine.
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const limits: SigningQueueLimits = {
  maxJobs: 2,
  maxItems: 4,
  maxWeight: 100,
  maxWaitingPerTenant: 10,
  maxWaiting: 15,
  fillMs: 5,
}

/** A queue whose jobs end on request. An item is `tenant` and a number. */
function newQueue(overrides: Partial<SigningQueueLimits> = {}) {
  const sent: { items: string[]; end(): void }[] = []
  const queue = createSigningQueue<string, string>({ ...limits, ...overrides }, (items) => {
    const { promise, resolve } = Promise.withResolvers<{ outcomes: { ok: string }[] }>()
    sent.push({ items, end: () => resolve({ outcomes: items.map((item) => ({ ok: `signed ${item}` })) }) })
    return promise
  })
  const ask = (item: string, { weight = 1, withinMs = 10_000 } = {}) => {
    const [tenantId = ''] = item.split(' ')
    const answer = queue(item, { tenantId, weight, deadlineAt: performance.now() + withinMs })
    answer.catch(() => undefined) // looked at by the test, or not
    return answer
  }
  return { sent, ask, itemsSent: () => sent.map(({ items }) => items) }
}

const numbered = (tenantId: string, count: number) => Array.from({ length: count }, (_, at) => `${tenantId} ${at}`)

test('a single request is sent at once and gets the answer of its item', async () => {
  const { sent, ask, itemsSent } = newQueue()
  const answer = ask('a 0')
  await passes(1)
  expect(itemsSent()).toEqual([['a 0']])
  sent[0]!.end()
  expect(await answer).toBe('signed a 0')
})

test('concurrent requests share a job, and the next job is sent when it is full, after its time to fill, or when none is running', async () => {
  const { sent, ask, itemsSent } = newQueue({ fillMs: 50 })
  for (const item of numbered('a', 6)) void ask(item)
  await passes(1)
  expect(itemsSent()).toEqual([numbered('a', 4)])
  await passes(60)
  expect(itemsSent()).toEqual([numbered('a', 4), ['a 4', 'a 5']])
  void ask('a 6')
  await passes(60)
  expect(sent).toHaveLength(2)
  for (const { end } of sent) end()
  await passes(5)
  expect(itemsSent()[2]).toEqual(['a 6'])
})

test('tenants are served round robin, however long the queue of one is', async () => {
  const { ask, itemsSent } = newQueue()
  for (const item of [...numbered('a', 10), 'b 0', 'c 0']) void ask(item)
  await passes(1)
  expect(itemsSent()[0]).toEqual(['a 0', 'b 0', 'c 0', 'a 1'])
})

test('a heavy item has its own job, one per tenant at a time, and others run beside it', async () => {
  const { sent, ask, itemsSent } = newQueue()
  for (const item of numbered('a', 3)) void ask(item, { weight: 5_000 })
  void ask('b 0')
  await passes(20)
  expect(itemsSent()).toEqual([['a 0'], ['b 0']])
  sent[1]!.end()
  await passes(20)
  expect(sent).toHaveLength(2)
  sent[0]!.end()
  await passes(5)
  expect(itemsSent()[2]).toEqual(['a 1'])
})

test('the total weight of a job is limited', async () => {
  const { ask, itemsSent } = newQueue()
  void ask('a 0', { weight: 60 })
  void ask('b 0', { weight: 60 })
  void ask('c 0', { weight: 40 })
  await passes(20)
  expect(itemsSent()).toEqual([['a 0', 'c 0'], ['b 0']])
})

test('the queue is limited for each tenant and in total, and further requests are refused at once', async () => {
  const { ask } = newQueue()
  const settled = async (answer: Promise<string>) =>
    Promise.race([answer.then(String, (error) => error.problem), passes(20).then(() => 'waits')])
  for (const item of numbered('a', 10)) expect(await Promise.race([ask(item), 'waits'])).toBe('waits')
  expect(await settled(ask('a 10'))).toBe('service_unavailable')
  for (const item of numbered('b', 5)) expect(await Promise.race([ask(item), 'waits'])).toBe('waits')
})

test('a request is answered at its deadline, waiting or running, and not sent afterwards', async () => {
  const { sent, ask, itemsSent } = newQueue({ maxJobs: 1 })
  const underWay = ask('a 0', { withinMs: 30 })
  await passes(5)
  const inLine = ask('a 1', { withinMs: 25 })
  const patient = ask('a 2')
  const ended: string[] = []
  for (const [name, answer] of Object.entries({ underWay, inLine })) answer.catch(() => ended.push(name))
  await passes(24)
  expect(ended).toEqual([])
  await passes(1)
  expect(ended).toEqual(['underWay', 'inLine'])
  await expect(underWay).rejects.toMatchObject({ problem: 'service_unavailable', retryAfterSeconds: 2 })
  await expect(inLine).rejects.toMatchObject({ problem: 'service_unavailable' })
  sent[0]!.end()
  await passes(10)
  expect(itemsSent()).toEqual([['a 0'], ['a 2']])
  sent[1]!.end()
  expect(await patient).toBe('signed a 2')
  await expect(ask('a 3', { withinMs: 0 })).rejects.toMatchObject({ problem: 'service_unavailable' })
})

test('a job that fails fails its items, and the queue continues', async () => {
  vi.useRealTimers() // nothing here takes time
  const queue = createSigningQueue<string, string>(limits, async ([item]) => {
    if (item === 'bad') throw new Error('away')
    return { outcomes: item === 'none' ? [] : [{ problem: { problem: 'invalid_proof', message: 'no' } }] }
  })
  const ask = (item: string) => queue(item, { tenantId: 'a', weight: 1, deadlineAt: performance.now() + 1_000 })
  await expect(ask('bad')).rejects.toThrow('away')
  await expect(ask('none')).rejects.toThrow('no outcome')
  await expect(ask('good')).rejects.toMatchObject({ problem: 'invalid_proof' })
})

test('the error of a missed deadline says whether a job had the request', async () => {
  const { ask } = newQueue({ maxJobs: 1, maxItems: 1, maxWaitingPerTenant: 1 })
  const sent = ask('a 0', { withinMs: 100 })
  await passes(1)
  const waiting = ask('a 1', { withinMs: 100 })
  const refused = ask('a 2', { withinMs: 100 })
  await passes(200)
  const outcomes = await Promise.all([sent, waiting, refused].map((each) => each.catch((error: unknown) => error)))
  expect(outcomes.map((error) => error instanceof NeverSent)).toEqual([false, true, true])
  for (const error of outcomes) expect(error).toMatchObject({ problem: 'service_unavailable' })
})
