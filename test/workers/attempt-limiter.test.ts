import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AttemptLimiter, createAttemptLimiter, deliverySlots } from '../../workers/delivery/attempt-limiter.ts'

// Tests advance the clock, so that the speed of the machine does not make a receiver slow.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

interface Running {
  answer(status?: number): void
}

/** Attempts at receivers. An attempt is in `running` from its slot to its answer. */
function attempts(limiter: AttemptLimiter) {
  const running: (Running & { webhookId: string })[] = []
  const rejected: string[] = []
  return {
    running,
    rejected,
    async start(tenantId: string, webhookId: string, times = 1) {
      for (let time = 0; time < times; time++) {
        limiter.acquire(tenantId, webhookId).then(
          async (slot) => {
            const { promise, resolve } = Promise.withResolvers<{ status?: number }>()
            const one = { webhookId, answer: (status?: number) => resolve(status ? { status } : {}) }
            running.push(one)
            await slot.measure(() => promise)
            running.splice(running.indexOf(one), 1)
            slot.release()
          },
          () => rejected.push(webhookId),
        )
      }
      await sleep(0)
    },
  }
}

/** Lets one attempt succeed, so that the receiver gets all its slots. */
async function prove(limiter: AttemptLimiter, tenantId: string, webhookId: string) {
  const { running, start } = attempts(limiter)
  await start(tenantId, webhookId)
  running[0]!.answer(200)
  await sleep(0)
}

test('a receiver gets 4 slots until it has succeeded, and more afterwards', async () => {
  const limiter = createAttemptLimiter()
  const { running, start } = attempts(limiter)
  await start('a', 'a1', 20)
  expect(running).toHaveLength(4)
  running[0]!.answer(500)
  await sleep(1)
  expect(running).toHaveLength(4)
  running[0]!.answer(200)
  await sleep(1)
  expect(running).toHaveLength(18)
})

test('a tenant has a quarter of all slots, and part of these for unreliable receivers', async () => {
  const limiter = createAttemptLimiter()
  const { running, start } = attempts(limiter)
  await prove(limiter, 'a', 'good')
  for (let each = 0; each < 20; each++) await start('a', `gone${each}`, 4)
  expect(running).toHaveLength(24)
  await start('a', 'good', 20)
  expect(running.filter(({ webhookId }) => webhookId === 'good')).toHaveLength(8)
})

test('receivers that never answer leave a quarter of all slots to the others', async () => {
  const limiter = createAttemptLimiter()
  const { running, rejected, start } = attempts(limiter)
  await prove(limiter, 'good', 'good')
  for (let each = 0; each < 100; each++) await start(`t${each}`, `gone${each}`, 4)
  expect(running).toHaveLength((deliverySlots * 3) / 4)
  await start('good', 'good')
  expect(running.at(-1)!.webhookId).toBe('good')

  // Attempts do not wait for a receiver that has become slow.
  await start('t0', 'gone0', 10)
  expect(rejected).toEqual([])
  vi.advanceTimersByTime(500)
  await sleep(0)
  expect(rejected.filter((id) => id === 'gone0')).toHaveLength(10)
  await start('t0', 'gone0')
  expect(rejected.filter((id) => id === 'gone0')).toHaveLength(11)
})

test('if all slots are taken, receivers get the next free slots round robin', async () => {
  const limiter = createAttemptLimiter()
  const { running, start } = attempts(limiter)
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await prove(limiter, id, id)
  for (const id of ['a', 'b', 'c', 'd']) await start(id, id, 32)
  expect(running).toHaveLength(deliverySlots)
  await start('e', 'e', 3)
  await start('f', 'f', 3)
  const before = new Set(running)
  for (const one of [...running].slice(0, 2)) {
    one.answer(200)
    await sleep(1)
  }
  expect(running.filter((one) => !before.has(one)).map(({ webhookId }) => webhookId)).toEqual(['e', 'f'])
})

test('an attempt waits five seconds for a slot that other receivers of its tenant have', async () => {
  const limiter = createAttemptLimiter()
  const { running, rejected, start } = attempts(limiter)
  for (let each = 0; each < 6; each++) await start('a', `gone${each}`, 4)
  expect(running).toHaveLength(24)
  await start('a', 'new', 3)
  vi.advanceTimersByTime(4_000)
  await start('a', 'new')
  vi.advanceTimersByTime(900)
  await sleep(0)
  expect(rejected).toEqual([])
  vi.advanceTimersByTime(200)
  await sleep(0)
  expect(rejected).toEqual(['new', 'new', 'new'])
  vi.advanceTimersByTime(4_000)
  await sleep(0)
  expect(rejected).toHaveLength(4)
})

test('the capacity is the number of attempts within a second, less the running and waiting attempts', async () => {
  const limiter = createAttemptLimiter()
  const { running, start } = attempts(limiter)
  expect(limiter.capacity('new')).toBe(16)
  await start('a', 'a1', 6)
  expect(limiter.capacity('a1')).toBe(10)
  for (const one of [...running]) one.answer(200)
  await sleep(10)
  for (const one of [...running]) one.answer(200)
  await sleep(10)
  expect(limiter.capacity('a1')).toBeGreaterThan(100)
})

test('a closed limiter rejects waiting and later attempts', async () => {
  const limiter = createAttemptLimiter()
  const { rejected, start } = attempts(limiter)
  await start('a', 'a1', 6)
  limiter.close()
  await start('a', 'a1')
  await sleep(1)
  expect(rejected).toHaveLength(3)
})
