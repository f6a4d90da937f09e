import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createThrottledLog } from '../../shared/log/throttled-log.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function newWriter() {
  const written: object[] = []
  return { written, write: createThrottledLog<{ n?: number }>((fields) => written.push(fields)) }
}

test('the first message of each kind is written, and then one in 5 s with the number of messages', () => {
  const { written, write } = newWriter()
  for (let n = 1; n <= 3; n++) write('a', { n })
  write('b', {})
  expect(written).toEqual([{ n: 1, times: 1 }, { times: 1 }])
  vi.advanceTimersByTime(4_999)
  write('a', { n: 4 })
  expect(written).toHaveLength(2)
  vi.advanceTimersByTime(1)
  write('a', { n: 5 })
  expect(written.slice(2)).toEqual([{ n: 5, times: 4 }])
})

test('at most 100 kinds are stored, so that text from outside cannot fill the memory', () => {
  const { written, write } = newWriter()
  for (let n = 0; n < 100; n++) write(`kind ${n}`, {})
  write('kind 0', {})
  expect(written).toHaveLength(100)
  write('another', {})
  write('kind 0', {})
  expect(written).toHaveLength(102)
})
