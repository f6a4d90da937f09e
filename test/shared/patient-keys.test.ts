import { expect, test } from 'vitest'
import { Problem } from '../../shared/errors/errors.ts'
import type { Keys } from '../../shared/jobs/keys.ts'
import { patientKeys } from '../../shared/jobs/patient-keys.ts'

/** Keys that throw these errors before they answer. */
function keysAfter(...errors: Error[]) {
  let calls = 0
  const call = async () => {
    const error = errors[calls++]
    if (error) throw error
    return {}
  }
  // Boundary: the test calls nothing else.
  return { keys: { call } as unknown as Keys, calls: () => calls }
}

const late = () => new Problem('service_unavailable')
const provision = (keys: Keys) => keys.call('provisionTenant', { tenantId: 'tenant' })

test('a call waits for a slow signing process as long as it runs, with pauses', async () => {
  const slow = keysAfter(late(), late(), late())
  const startedAt = performance.now()
  expect(await provision(patientKeys(slow.keys, async () => true))).toEqual({})
  expect(slow.calls()).toBe(4)
  expect(performance.now() - startedAt).toBeGreaterThan(700)
})

test('a call ends when no signing process runs, or when it is refused', async () => {
  const dead = keysAfter(late(), late(), late())
  const states = [true, false]
  await expect(provision(patientKeys(dead.keys, async () => states.shift() ?? false))).rejects.toMatchObject({
    problem: 'service_unavailable',
  })
  expect(dead.calls()).toBe(2)
  const refused = keysAfter(new Error('a bug'))
  await expect(provision(patientKeys(refused.keys, async () => true))).rejects.toThrow('a bug')
})
