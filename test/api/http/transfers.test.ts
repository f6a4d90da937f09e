import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { untilStalled } from '../../../api/http/transfers.ts'

const chunk = Buffer.alloc(100_000)

/** A stream of chunks for a reader. Tells how many were made, and whether their source was closed. */
function streamOf(count: number) {
  const state = { made: 0, isClosed: false }
  async function* chunks() {
    try {
      for (; state.made < count; state.made++) yield chunk
    } finally {
      state.isClosed = true
    }
  }
  const stream: Readable = Readable.from(
    untilStalled(chunks(), () => stream, 200),
    { objectMode: false },
  )
  return { stream, state }
}

test('a reader that takes nothing is disconnected, and the source is closed', async () => {
  const { stream, state } = streamOf(100)
  stream.once('readable', () => stream.read(1))
  await expect.poll(() => stream.destroyed).toBe(true)
  await expect.poll(() => state.isClosed).toBe(true)
  expect(state.made).toBeLessThan(10)
})

test('a reader can take its time, as long as it takes each chunk within the limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { stream, state } = streamOf(10)
  let bytes = 0
  for await (const each of stream) {
    bytes += each.length
    await vi.advanceTimersByTimeAsync(190)
  }
  expect([bytes, state.made, state.isClosed]).toEqual([10 * chunk.length, 10, true])
})
