import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { waitUntilReachable } from '../../shared/process/dependency.ts'

test('the wait for a dependency is logged at its first failure, once in ten seconds and at its end', async () => {
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
  /** The number of lines before each attempt. */
  const linesBefore: number[] = []
  async function reach() {
    linesBefore.push(lines.length)
    if (linesBefore.length === 2) now += 9_999
    if (linesBefore.length === 3) now += 1
    if (linesBefore.length < 5) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  }
  await waitUntilReachable({ name: 'redis', address: 'redis://127.0.0.1:1', reach }, log)
  expect(linesBefore).toEqual([0, 1, 1, 2, 2])
  expect(lines).toEqual([...Array(2).fill('waiting for a dependency'), 'dependency is reachable again'])
})
