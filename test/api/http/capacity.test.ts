import { register } from 'prom-client'
import { expect, test } from 'vitest'
import { type Capacity, createCapacity } from '../../../api/http/capacity.ts'
import { startService } from '../../harness/harness.ts'

/** A capacity with a given load, whose clock stands still between steps. */
function startCapacity() {
  let at = 0
  let load = 1
  const capacity = createCapacity({ readLoad: () => load, now: () => at })
  /** Adapts the capacity every `stepMs` while these tenants send requests. Returns the shares. */
  const run = (given: { load: number; tenants: string[]; steps: number; stepMs?: number }) =>
    Array.from({ length: given.steps }, () => {
      load = given.load
      at += given.stepMs ?? 50
      for (const tenant of given.tenants) capacity.observe(tenant)
      capacity.adapt()
      return capacity.share
    })
  return { capacity, run }
}

const both = ['a', 'b']

test('the share shrinks to a quarter while the event loop never waits, and grows again when it does', () => {
  const { capacity, run } = startCapacity()
  expect(capacity.share).toBe(1)
  const shrinking = run({ load: 1, tenants: both, steps: 6 })
  expect(shrinking).toEqual(shrinking.toSorted((a, b) => b - a))
  expect(shrinking.at(-1)).toBe(0.25)
  expect(run({ load: 0.95, tenants: both, steps: 3 })).toEqual([0.25, 0.25, 0.25])
  expect(run({ load: 0.5, tenants: both, steps: 8 })).toEqual([0.375, 0.5, 0.625, 0.75, 0.875, 1, 1, 1])
})

test('one tenant alone has the full capacity under load, a second after the requests of another', () => {
  const { run } = startCapacity()
  expect(run({ load: 1, tenants: ['a'], steps: 30 })).toEqual(Array.from({ length: 30 }, () => 1))
  expect(run({ load: 1, tenants: both, steps: 6 }).at(-1)).toBe(0.25)
  // The second tenant is idle. The first request changes the tenant once more.
  expect(run({ load: 1, tenants: ['a'], steps: 20 }).at(-1)).toBe(0.25)
  expect(run({ load: 1, tenants: ['a'], steps: 7 }).at(-1)).toBe(1)
})

test('the share adapts once in 50 ms', () => {
  const { run } = startCapacity()
  expect(run({ load: 1, tenants: both, steps: 49, stepMs: 1 }).at(-1)).toBe(1)
  expect(run({ load: 1, tenants: both, steps: 1, stepMs: 1 })).toEqual([0.75])
})

test('the share follows the event loop of this process', async () => {
  let at = 0
  const capacity = createCapacity({ now: () => at })
  const adapt = (each: Capacity) => {
    at += 50
    for (const tenant of both) each.observe(tenant)
    each.adapt()
  }
  for (let round = 0; round < 6; round++) {
    const until = performance.now() + 5
    while (performance.now() < until);
    adapt(capacity)
  }
  expect(capacity.share).toBe(0.25)
  const adapted = performance.eventLoopUtilization()
  await expect.poll(() => performance.eventLoopUtilization(adapted).utilization).toBeLessThan(0.5)
  adapt(capacity)
  expect(capacity.share).toBe(0.375)
})

test('the service has a capacity, which a metric shows', async () => {
  const metric = register.getSingleMetric('trustwright_http_running_share')
  metric?.reset()
  await using _service = await startService()
  expect((await metric?.get())?.values[0]?.value).toBeGreaterThan(0)
})
