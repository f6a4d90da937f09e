import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createCircuitBreaker } from '../../../workers/signing/keys/remote/circuit-breaker.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
})

function start() {
  const changes: (string | undefined)[] = []
  const signer = { isUp: false, probes: 0 }
  const breaker = createCircuitBreaker({
    async probe() {
      signer.probes++
      if (!signer.isUp) throw new Error('still down')
    },
    onChange: (reason) => void changes.push(reason),
  })
  onTestFinished(() => breaker.close())
  const fail = (times: number) => Array.from({ length: times }, () => breaker.fail('down'))
  return { breaker, changes, signer, fail }
}

test('it opens after five failures in sequence, and a success in between starts the count again', () => {
  const { breaker, changes, fail } = start()
  fail(4)
  breaker.succeed()
  fail(4)
  expect(breaker.openReason).toBeUndefined()
  fail(1)
  expect(breaker.openReason).toBe('down')
  fail(10)
  expect(changes).toEqual(['down'])
})

test('an open breaker probes each second, and closes by the first probe that succeeds', async () => {
  const { breaker, changes, signer, fail } = start()
  fail(5)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(signer.probes).toBe(3)
  expect(breaker.openReason).toBe('still down')
  signer.isUp = true
  await vi.advanceTimersByTimeAsync(1_000)
  expect(breaker.openReason).toBeUndefined()
  expect(changes).toEqual(['down', undefined])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(signer.probes).toBe(4)
  fail(4)
  expect(changes).toEqual(['down', undefined])
  fail(1)
  expect(changes).toEqual(['down', undefined, 'down'])
})

test('concurrent checks share a probe, which opens and closes the breaker', async () => {
  const { breaker, changes, signer } = start()
  expect(await Promise.all([breaker.probeNow(), breaker.probeNow()])).toEqual(['still down', 'still down'])
  expect(signer.probes).toBe(1)
  signer.isUp = true
  expect(await breaker.probeNow()).toBeUndefined()
  expect(changes).toEqual(['still down', undefined])
})

test('a closed breaker probes no more and reports nothing', async () => {
  const { breaker, changes, signer, fail } = start()
  fail(5)
  breaker.close()
  signer.isUp = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(signer.probes).toBe(0)
  expect(changes).toEqual(['down'])
})
