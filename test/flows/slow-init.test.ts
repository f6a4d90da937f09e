import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { prepare } from '../../api/cli/prepare.ts'
import { findTenantBySubdomain } from '../../db/repos/tenancy/tenants.ts'
import { startService } from '../harness/harness.ts'

afterEach(() => void vi.useRealTimers())

test('the creation of the demo tenant waits as long as the signing process takes to start', async () => {
  await using service = await startService({ roles: ['signing'] })
  const { deps, workers } = service
  await workers.stop()
  // The test advances the clock of the time limits of calls.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  // Outside of production the command sends links to its parent process, which here is the one of the tests.
  const preparing = prepare(['--demo'], { ...deps.config, production: true }, deps.log)
  onTestFinished(() => preparing.catch(() => undefined))
  const stateOfDemo = async () => (await findTenantBySubdomain(deps.db.read, 'demo'))?.state
  const calls = async () => (await deps.bus.queue('signing').getJobs(['wait', 'prioritized'])).length
  for (let minute = 0; minute < 5; minute++) {
    const called = vi.waitUntil(async () => (await calls()) > minute, { timeout: 120_000 })
    await Promise.race([called, preparing])
    await vi.advanceTimersByTimeAsync(60_000)
  }
  expect(await stateOfDemo()).toBe('provisioning')
  vi.useRealTimers()
  await workers.start()
  await preparing
  expect(await stateOfDemo()).toBe('active')
})
