import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { yieldIfBusy } from '../../workers/jobs/yield-if-busy.ts'

/** Blocks the event loop as a signature does. */
function work(ms: number): void {
  const endsAt = performance.now() + ms
  while (performance.now() < endsAt);
}

/** Returns the number of ticks of the event loop during the work. */
async function countTicks(run: () => Promise<unknown>): Promise<number> {
  let ticks = 0
  let isDone = false
  const counting = (async () => {
    while (!isDone) {
      await setImmediate()
      ticks++
    }
  })()
  await run()
  isDone = true
  await counting
  return ticks
}

/** Signatures since the last tick of the event loop. */
let signed = 0

async function signMany(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    work(0.1)
    signed++
    await yieldIfBusy()
  }
}

test('a batch of signatures lets other jobs run about once a millisecond', async () => {
  const startedAt = performance.now()
  const ticks = await countTicks(() => signMany(100))
  expect(ticks).toBeGreaterThan(3)
  expect(ticks).toBeLessThan(performance.now() - startedAt + 5)
})

test('several batches share the time, so that others do not wait for all of them', async () => {
  let most = 0
  let isDone = false
  const observing = (async () => {
    while (!isDone) {
      signed = 0
      await setImmediate()
      most = Math.max(most, signed)
    }
  })()
  await Promise.all(Array.from({ length: 20 }, () => signMany(20)))
  isDone = true
  await observing
  // Each of the 20 batches ends its signature, and 1 ms has room for ten more.
  expect(most).toBeLessThan(40)
})

test('a signature after a pause lets others run at once', async () => {
  await sleep(5)
  expect(await countTicks(() => signMany(1))).toBeGreaterThan(0)
})
