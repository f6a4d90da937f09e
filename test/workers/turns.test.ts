import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { letOthersRun } from '../../workers/turns.ts'

/** Blocks the event loop as a signature does. */
function work(ms: number): void {
  const endsAt = performance.now() + ms
  while (performance.now() < endsAt);
}

/** Returns the number of turns of the event loop during the work. */
async function countTurns(run: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const counting = (async () => {
    while (!isDone) {
      await setImmediate()
      turns++
    }
  })()
  await run()
  isDone = true
  await counting
  return turns
}

async function signMany(count: number): Promise<void> {
  for (let signed = 0; signed < count; signed++) {
    work(0.1)
    await letOthersRun()
  }
}

test('a batch of signatures lets other jobs run about once a millisecond', async () => {
  const turns = await countTurns(() => signMany(100))
  expect(turns).toBeGreaterThan(3)
  expect(turns).toBeLessThan(50)
})

test('several batches share the turns, so that others do not wait for all of them', async () => {
  let longestMs = 0
  let isDone = false
  const observing = (async () => {
    while (!isDone) {
      const startedAt = performance.now()
      await setImmediate()
      longestMs = Math.max(longestMs, performance.now() - startedAt)
    }
  })()
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: 20 }, () => signMany(20)))
  const allMs = performance.now() - startedAt
  isDone = true
  await observing
  expect(longestMs).toBeLessThan(allMs / 4)
})

test('a signature after a pause lets others run at once', async () => {
  await sleep(5)
  expect(await countTurns(() => signMany(1))).toBeGreaterThan(0)
})
