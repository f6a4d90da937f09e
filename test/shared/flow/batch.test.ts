import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createBatcher } from '../../../shared/flow/batch.ts'

/** What is done, with a gate for each time. */
function start({ maxItems = 100, maxWaiting = 100, deadlineMs = 60_000 } = {}) {
  const runs: { items: number[]; open(): void; fail(error: Error): void }[] = []
  const add = createBatcher<number, string>({ maxItems, maxWaiting, deadlineMs }, (items) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>()
    runs.push({ items, open: () => resolve(items.map((item) => `did ${item}`)), fail: reject })
    return promise
  })
  return { runs, add }
}

test('the first item is processed at once, later items together afterwards, and each gets its own answer', async () => {
  const { runs, add } = start()
  const answers = [add('a', 1), add('a', 2), add('a', 3)]
  expect(runs.map(({ items }) => items)).toEqual([[1]])
  runs[0]!.open()
  expect(await answers[0]).toBe('did 1')
  await setImmediate()
  expect(runs.map(({ items }) => items)).toEqual([[1], [2, 3]])
  runs[1]!.open()
  expect(await Promise.all(answers)).toEqual(['did 1', 'did 2', 'did 3'])
  void add('a', 4)
  expect(runs[2]?.items).toEqual([4])
})

test('keys do not wait for each other, and a batch has a maximum size', async () => {
  const { runs, add } = start({ maxItems: 2 })
  for (const item of [1, 2, 3, 4]) void add('a', item)
  void add('b', 5)
  expect(runs.map(({ items }) => items)).toEqual([[1], [5]])
  for (const at of [0, 2]) {
    runs[at]!.open()
    await setImmediate()
  }
  expect(runs.map(({ items }) => items)).toEqual([[1], [5], [2, 3], [4]])
})

test('a failed batch rejects its own items and no later ones', async () => {
  const { runs, add } = start()
  const first = add('a', 1)
  const next = add('a', 2)
  runs[0]!.fail(new Error('the database is away'))
  await expect(first).rejects.toThrow('the database is away')
  await setImmediate()
  runs[1]!.open()
  expect(await next).toBe('did 2')
})

test('an item whose wait is too long is rejected and not processed', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { runs, add } = start({ deadlineMs: 200 })
  const first = add('a', 1)
  const late = [add('a', 2), add('a', 3)].map((each) => expect(each).rejects.toMatchObject({ status: 503 }))
  vi.advanceTimersByTime(300)
  const next = add('a', 4)
  runs[0]!.open()
  expect(await first).toBe('did 1')
  await Promise.all(late)
  expect(runs.map(({ items }) => items)).toEqual([[1], [4]])
  runs[1]!.open()
  expect(await next).toBe('did 4')

  // Also if no other item waits. The next item starts a new batch.
  void add('b', 5)
  const only = expect(add('b', 6)).rejects.toMatchObject({ status: 503 })
  vi.advanceTimersByTime(300)
  runs[2]!.open()
  await only
  await setImmediate()
  void add('b', 7)
  expect(runs.map(({ items }) => items)).toEqual([[1], [4], [5], [7]])
})

test('an item is refused if too many items of its queue wait, and items of other queues are not', async () => {
  const { runs, add } = start({ maxWaiting: 2 })
  const accepted = [add('a', 1), add('a', 2), add('a', 3)]
  await expect(add('a', 4)).rejects.toMatchObject({ status: 503 })
  accepted.push(add('b', 5))
  for (const run of runs) run.open()
  await setImmediate()
  runs[2]!.open()
  expect(await Promise.all(accepted)).toEqual(['did 1', 'did 2', 'did 3', 'did 5'])
})

test('if the number of answers differs from the number of items, all items are rejected', async () => {
  const add = createBatcher<number, string>({ maxItems: 100, maxWaiting: 100, deadlineMs: 60_000 }, async () => ['one'])
  const answers = [add('a', 1), add('a', 2), add('a', 3)]
  expect(await answers[0]).toBe('one')
  for (const answer of answers.slice(1)) await expect(answer).rejects.toThrow('The number of answers differs')
})
