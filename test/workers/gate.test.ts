import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGate, deliverySlots, type Gate } from '../../workers/delivery/gate.ts'

// Time passes where a test says so: who is slow is no matter of the machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

interface Asked {
  answer(status?: number): void
}

/** Comes for a turn; what was let in is in `inside` until it is answered. */
function visitor(gate: Gate) {
  const inside: (Asked & { webhookId: string })[] = []
  const sentAway: string[] = []
  return {
    inside,
    sentAway,
    async come(tenantId: string, webhookId: string, times = 1) {
      for (let time = 0; time < times; time++) {
        gate.enter(tenantId, webhookId).then(
          async (turn) => {
            const { promise, resolve } = Promise.withResolvers<{ status?: number }>()
            const asked = { webhookId, answer: (status?: number) => resolve(status ? { status } : {}) }
            inside.push(asked)
            await turn.measure(() => promise)
            inside.splice(inside.indexOf(asked), 1)
            turn.end()
          },
          () => sentAway.push(webhookId),
        )
      }
      await sleep(0)
    },
  }
}

/** One success, so that a receiver has its whole share. */
async function prove(gate: Gate, tenantId: string, webhookId: string) {
  const one = visitor(gate)
  await one.come(tenantId, webhookId)
  one.inside[0]!.answer(200)
  await sleep(0)
}

test('a receiver that has not taken anything yet is asked by few at a time, and by more once it has', async () => {
  const gate = createGate()
  const { inside, come } = visitor(gate)
  await come('a', 'a1', 20)
  expect(inside).toHaveLength(4)
  inside[0]!.answer(500)
  await sleep(1)
  expect(inside).toHaveLength(4)
  inside[0]!.answer(200)
  await sleep(1)
  expect(inside).toHaveLength(18)
})

test('one tenant has a quarter of all turns, and not all of these at receivers that may be gone', async () => {
  const gate = createGate()
  const { inside, come } = visitor(gate)
  await prove(gate, 'a', 'good')
  for (let each = 0; each < 20; each++) await come('a', `gone${each}`, 4)
  expect(inside).toHaveLength(24)
  await come('a', 'good', 20)
  expect(inside.filter(({ webhookId }) => webhookId === 'good')).toHaveLength(8)
})

test('receivers that never answer leave a quarter of all turns to the others', async () => {
  const gate = createGate()
  const { inside, sentAway, come } = visitor(gate)
  await prove(gate, 'good', 'good')
  for (let each = 0; each < 100; each++) await come(`t${each}`, `gone${each}`, 4)
  expect(inside).toHaveLength((deliverySlots * 3) / 4)
  await come('good', 'good')
  expect(inside.at(-1)!.webhookId).toBe('good')

  // Once it is plain that they are slow nobody waits for them.
  await come('t0', 'gone0', 10)
  expect(sentAway).toEqual([])
  vi.advanceTimersByTime(500)
  await sleep(0)
  expect(sentAway.filter((id) => id === 'gone0')).toHaveLength(10)
  await come('t0', 'gone0')
  expect(sentAway.filter((id) => id === 'gone0')).toHaveLength(11)
})

test('when all turns are taken, receivers get the next ones in turn', async () => {
  const gate = createGate()
  const { inside, come } = visitor(gate)
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await prove(gate, id, id)
  for (const id of ['a', 'b', 'c', 'd']) await come(id, id, 32)
  expect(inside).toHaveLength(deliverySlots)
  await come('e', 'e', 3)
  await come('f', 'f', 3)
  const before = new Set(inside)
  for (const asked of [...inside].slice(0, 2)) {
    asked.answer(200)
    await sleep(1)
  }
  expect(inside.filter((asked) => !before.has(asked)).map(({ webhookId }) => webhookId)).toEqual(['e', 'f'])
})

test('there is room for what can be done within a second, less what waits already', async () => {
  const gate = createGate()
  const { inside, come } = visitor(gate)
  expect(gate.room('new')).toBe(16)
  await come('a', 'a1', 6)
  expect(gate.room('a1')).toBe(10)
  for (const asked of [...inside]) asked.answer(200)
  await sleep(10)
  for (const asked of [...inside]) asked.answer(200)
  await sleep(10)
  expect(gate.room('a1')).toBeGreaterThan(100)
})

test('a gate that closes sends away who waits, and who comes', async () => {
  const gate = createGate()
  const { sentAway, come } = visitor(gate)
  await come('a', 'a1', 6)
  gate.close()
  await come('a', 'a1')
  await sleep(1)
  expect(sentAway).toHaveLength(3)
})
