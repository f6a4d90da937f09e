import { register } from 'prom-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countRegistration, createLimits } from '../../../api/access/limits.ts'
import type { Route } from '../../../api/http/route.ts'
import { Problem } from '../../../shared/errors/errors.ts'

// Tests the limits with counters in the test. test/api/limits.test.ts tests them in a service.

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const windowMs = 60_000

/** Counts each key from 1 and records the counted keys. */
function newCounters() {
  const keys: string[] = []
  const count = async (key: string) => {
    keys.push(key)
    return { count: keys.filter((each) => each === key).length, forgottenInMs: windowMs }
  }
  return { keys, count }
}

const rates = {
  anonymousPerMinute: 2,
  failedSecretsPerMinute: 2,
  issuancesPerMinute: 2,
  managementWritesPerMinute: 2,
}

function newLimits(change: Partial<typeof rates> = {}) {
  const [counters, dailyCounters] = [newCounters(), newCounters()]
  const config = { rates: { ...rates, ...change }, trustedProxies: [], registrationsPerDay: 2 }
  const deps = { config, bus: { counters, dailyCounters } }
  return { limits: createLimits(deps as never), counters, dailyCounters, deps: deps as never }
}

const tenantOf = (id: string, limits: Partial<typeof rates & { registrationsPerDay: number }> = {}) =>
  ({ id, settings: { limits } }) as never
const tenant = tenantOf('one')
const other = tenantOf('other')
const requestFrom = (address: string, headers: Record<string, string> = {}) =>
  ({ headers, req: { headers, socket: { remoteAddress: address } }, request: { headers }, ip: address }) as never
const here = requestFrom('192.0.2.1')
const elsewhere = requestFrom('192.0.2.2')
const withToken = requestFrom('192.0.2.1', { authorization: 'Bearer a.b.c' })

const route = (access: string, method: string, countsAs?: string) =>
  ({ access: { kind: access }, method, ...(countsAs && { countsAs }) }) as unknown as Route
const publicRoute = route('anyone', 'GET')
const readRoute = route('operators', 'GET')
const writeRoute = route('operators', 'POST')
const issuingRoute = route('wallet', 'POST', 'issuance')

const tooMany = (reason: string, retryAfterSeconds = 60) => ({
  problem: 'too_many_requests',
  reason,
  retryAfterSeconds,
})
const hitsOf = async (limit: string) => {
  const metric = await register.getSingleMetric('trustwright_limits_hit_total')?.get()
  return metric?.values.find(({ labels }) => labels.limit === limit)?.value ?? 0
}

test('the process counts anonymous requests by tenant and address', async () => {
  const { limits, counters } = newLimits()
  const before = await hitsOf('anonymousPerMinute')
  for (let n = 0; n < 2; n++) await limits.admit(publicRoute, here, tenant)
  await expect(limits.admit(publicRoute, here, tenant)).rejects.toMatchObject({
    problem: 'too_many_requests',
    reason: 'anonymousPerMinute',
  })
  expect(await hitsOf('anonymousPerMinute')).toBe(before + 1)
  await limits.admit(publicRoute, elsewhere, tenant)
  await limits.admit(publicRoute, here, other)
  expect(counters.keys).toEqual([])
})

test('a public route counts requests with a token, and other routes count only requests without one', async () => {
  const { limits } = newLimits()
  for (let n = 0; n < 5; n++) await limits.admit(readRoute, withToken, tenant)
  for (let n = 0; n < 2; n++) await limits.admit(publicRoute, withToken, tenant)
  await expect(limits.admit(publicRoute, withToken, tenant)).rejects.toMatchObject({ reason: 'anonymousPerMinute' })
  await expect(limits.admit(readRoute, here, tenant)).rejects.toMatchObject({ reason: 'anonymousPerMinute' })
})

test("a limit of 0 disables the limit, and a tenant's own limit overrides that of the service", async () => {
  const { limits, counters } = newLimits({ anonymousPerMinute: 0, issuancesPerMinute: 0, failedSecretsPerMinute: 0 })
  for (let n = 0; n < 5; n++) {
    await limits.admit(publicRoute, here, tenant)
    await limits.count(issuingRoute, tenant)
    expect(await limits.countWrong(new Problem('unauthorized', { isWrongSecret: true }), here, tenant)).toBeUndefined()
  }
  expect(counters.keys).toEqual([])
  const strict = tenantOf('strict', { issuancesPerMinute: 1 })
  await limits.count(issuingRoute, strict)
  await expect(limits.count(issuingRoute, strict)).rejects.toMatchObject(tooMany('issuancesPerMinute'))
})

test.each([
  ['issuancesPerMinute', issuingRoute],
  ['managementWritesPerMinute', writeRoute],
])('%s: a tenant over the limit is refused without further counting until the window ends', async (limit, limited) => {
  const { limits, counters } = newLimits({ anonymousPerMinute: 0 })
  for (let n = 0; n < 2; n++) await limits.count(limited, tenant)
  await limits.admit(limited, here, tenant)
  await expect(limits.count(limited, tenant)).rejects.toMatchObject(tooMany(limit))
  expect(counters.keys).toHaveLength(3)
  vi.advanceTimersByTime(windowMs - 1_500)
  await expect(limits.admit(limited, here, tenant)).rejects.toMatchObject(tooMany(limit, 2))
  expect(counters.keys).toHaveLength(3)
  // Other tenants and other requests of the tenant are not affected.
  await limits.admit(limited, here, other)
  await limits.count(limited, other)
  await limits.admit(readRoute, here, tenant)
  await limits.count(readRoute, tenant)
  vi.advanceTimersByTime(1_499)
  await expect(limits.admit(limited, here, tenant)).rejects.toMatchObject(tooMany(limit, 1))
  vi.advanceTimersByTime(2)
  await limits.admit(limited, here, tenant)
})

test('a raised or removed limit applies to the next request of a tenant that is over it', async () => {
  const { limits } = newLimits({ anonymousPerMinute: 0 })
  for (let n = 0; n < 2; n++) await limits.count(writeRoute, tenant)
  await expect(limits.count(writeRoute, tenant)).rejects.toMatchObject(tooMany('managementWritesPerMinute'))
  for (const managementWritesPerMinute of [10, 0]) {
    const changed = tenantOf('one', { managementWritesPerMinute })
    await limits.admit(writeRoute, withToken, changed)
    await limits.count(writeRoute, changed)
  }
  await expect(limits.admit(writeRoute, withToken, tenant)).rejects.toMatchObject(tooMany('managementWritesPerMinute'))

  for (let n = 0; n < 3; n++) await limits.countWrong(wrong.guess, here, tenant)
  expect(() => limits.admitGuess(here, tenant)).toThrow(expect.objectContaining(tooMany('failedSecretsPerMinute')))
  const changed = tenantOf('one', { failedSecretsPerMinute: 10 })
  limits.admitGuess(here, changed)
  expect(await limits.countWrong(wrong.guess, here, changed)).toBeUndefined()
})

test('reads and public requests do not count against limits of the tenant', async () => {
  const { limits, counters } = newLimits()
  for (const each of [readRoute, publicRoute, route('wallet', 'POST')]) await limits.count(each, tenant)
  expect(counters.keys).toEqual([])
})

const wrong = {
  secret: new Problem('unauthorized', { isWrongSecret: true }),
  guess: new Problem('invalid_grant', { isWrongGuess: true }),
}

test('wrong secrets and wrong guesses of an address have separate counts', async () => {
  const { limits, counters } = newLimits()
  expect(await limits.countWrong(new Problem('not_found'), here, tenant)).toBeUndefined()
  expect(counters.keys).toEqual([])
  for (let n = 0; n < 2; n++) {
    expect(await limits.countWrong(wrong.secret, here, tenant)).toBeUndefined()
    expect(await limits.countWrong(wrong.guess, here, tenant)).toBeUndefined()
  }
  expect(await limits.countWrong(wrong.secret, here, tenant)).toMatchObject(tooMany('failedSecretsPerMinute'))
  limits.admitGuess(here, tenant)
  expect(await limits.countWrong(wrong.guess, here, tenant)).toMatchObject(tooMany('failedSecretsPerMinute'))
  expect(new Set(counters.keys).size).toBe(2)
  expect(() => limits.admitGuess(here, tenant)).toThrow(expect.objectContaining(tooMany('failedSecretsPerMinute')))
  limits.admitGuess(elsewhere, tenant)
  limits.admitGuess(here, other)
  expect(await limits.countWrong(wrong.secret, elsewhere, tenant)).toBeUndefined()
  expect(await limits.countWrong(wrong.secret, here, other)).toBeUndefined()
  expect(new Set(counters.keys).size).toBe(4)
})

test('an address over its limit is refused without another count until the window ends', async () => {
  const { limits, counters } = newLimits()
  for (let n = 0; n < 3; n++) await limits.countWrong(wrong.secret, here, tenant)
  vi.advanceTimersByTime(20_000)
  expect(await limits.countWrong(wrong.secret, here, tenant)).toMatchObject(tooMany('failedSecretsPerMinute', 40))
  expect(counters.keys).toHaveLength(3)
  vi.advanceTimersByTime(windowMs)
  counters.keys.length = 0
  expect(await limits.countWrong(wrong.secret, here, tenant)).toBeUndefined()
  expect(counters.keys).toHaveLength(1)
})

test('registrations are counted per day, tenant and address', async () => {
  const { deps, dailyCounters } = newLimits()
  for (let n = 0; n < 2; n++) await countRegistration(deps, tenant, '192.0.2.1')
  await expect(countRegistration(deps, tenant, '192.0.2.1')).rejects.toMatchObject(tooMany('registrationsPerDay'))
  await countRegistration(deps, tenant, '192.0.2.2')
  await countRegistration(deps, other, '192.0.2.1')
  expect(new Set(dailyCounters.keys).size).toBe(3)
  const strict = tenantOf('strict', { registrationsPerDay: 1 })
  await countRegistration(deps, strict, '192.0.2.1')
  await expect(countRegistration(deps, strict, '192.0.2.1')).rejects.toMatchObject(tooMany('registrationsPerDay'))
})
