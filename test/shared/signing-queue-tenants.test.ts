import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SigningQueueLimits } from '../../shared/jobs/definition.ts'
import { createSigningQueue } from '../../shared/jobs/signing-queue.ts'

// Time passes only in the tests, so the order of two timers does not depend on the machine.
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const limits: SigningQueueLimits = {
  maxJobs: 3,
  maxItems: 6,
  maxItemsBesideOthers: 2,
  maxWeight: 100,
  maxWaitingPerTenant: 20,
  maxWaiting: 40,
  fillMs: 20,
  gatherAfterBatchMs: 8,
}

/** A queue whose jobs end on request. An item is `tenant` and a number. */
function newQueue(limitsOfQueue: SigningQueueLimits = limits) {
  const sent: { items: string; end(): void }[] = []
  const queue = createSigningQueue<string, string>(limitsOfQueue, (items) => {
    const { promise, resolve } = Promise.withResolvers<{ outcomes: { ok: string }[] }>()
    sent.push({ items: items.join(), end: () => resolve({ outcomes: items.map((ok) => ({ ok })) }) })
    return promise
  })
  const ask = (...items: string[]) => {
    for (const item of items) {
      const tenantId = item.slice(0, 1)
      void queue(item, { tenantId, weight: 1, deadlineAt: performance.now() + 10_000 })
    }
  }
  return { sent, ask, itemsSent: () => sent.map(({ items }) => items) }
}

const numbered = (tenant: string, count: number) => Array.from({ length: count }, (_, at) => `${tenant}${at}`)

test('beside another tenant, a tenant with many items has small jobs, and the other one its own job', async () => {
  const { ask, itemsSent } = newQueue()
  ask(...numbered('a', 5), 'b0')
  await passes(1)
  expect(itemsSent()).toEqual(['a0,a1', 'b0'])
})

test('two tenants with many items have jobs in turn', async () => {
  const { sent, ask, itemsSent } = newQueue()
  ask(...numbered('a', 6), ...numbered('b', 6))
  for (let job = 0; job < 6; job++) {
    await passes(1)
    for (const { end } of sent) end()
  }
  await passes(100)
  expect(itemsSent()).toEqual(['a0,a1', 'b0,b1', 'a2,a3', 'b2,b3', 'a4,a5', 'b4,b5'])
})

test('the tenants with a single item share a job', async () => {
  const { ask, itemsSent } = newQueue()
  ask('b0', 'c0', ...numbered('a', 3), 'd0')
  await passes(1)
  expect(itemsSent()).toEqual(['b0,c0,d0', 'a0,a1'])
})

test('the last free job is for a tenant without a running job', async () => {
  const { sent, ask, itemsSent } = newQueue()
  ask('b0', ...numbered('a', 8))
  await passes(1)
  sent[0]!.end()
  await passes(40)
  expect(itemsSent()).toEqual(['b0', 'a0,a1', 'a2,a3'])
  ask('b1')
  await passes(1)
  expect(itemsSent()[3]).toBe('b1')
})

test('a tenant without a running job does not wait for a job to fill, and the items of another tenant still do', async () => {
  const { ask, itemsSent } = newQueue({ ...limits, maxJobs: 5, maxItemsBesideOthers: 3 })
  ask('b0', 'a0', 'a1')
  await passes(1)
  ask('a2', 'c0')
  await passes(1)
  expect(itemsSent()).toEqual(['b0', 'a0,a1', 'c0'])
  await passes(20)
  expect(itemsSent()[3]).toBe('a2')
})

test('a single tenant has whole jobs and all jobs, also a second after the last item of another', async () => {
  const { sent, ask, itemsSent } = newQueue()
  ask('b0', 'a0')
  await passes(1)
  sent[0]!.end()
  await passes(1_000)
  ask(...numbered('a', 18))
  await passes(40)
  expect(itemsSent()).toEqual(['b0,a0', 'a0,a1,a2,a3,a4,a5', 'a6,a7,a8,a9,a10,a11', 'a12,a13,a14,a15,a16,a17'])
})

test('without the limit, items of several tenants share a job', async () => {
  const { maxItemsBesideOthers: _, ...rest } = limits
  const { ask, itemsSent } = newQueue(rest)
  ask(...numbered('a', 5), 'b0')
  await passes(1)
  expect(itemsSent()).toEqual(['a0,b0,a1,a2,a3,a4'])
})
