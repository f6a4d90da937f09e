import { expect, test } from 'vitest'
import { prepare } from '../../api/cli/prepare.ts'
import { findTenantBySubdomain } from '../../db/repos/tenancy/tenants.ts'
import { eventually, startService } from '../harness/harness.ts'

test('the creation of the demo tenant waits as long as the signing process takes to start', async () => {
  await using service = await startService({ roles: ['signing'] })
  const { deps, workers } = service
  await workers.stop()
  // Outside of production the command sends links to its parent process, which here is the one of the tests.
  const preparing = prepare(['--demo'], { ...deps.config, production: true }, deps.log, { withinMs: 500 })
  preparing.catch(() => undefined)
  const stateOfDemo = async () => (await findTenantBySubdomain(deps.db.read, 'demo'))?.state
  // Each call that was not answered in time has left a job.
  await eventually(async () => (await deps.bus.queue('signing').getJobs(['wait', 'prioritized'])).length > 2)
  expect(await stateOfDemo()).toBe('provisioning')
  await workers.start()
  await preparing
  expect(await stateOfDemo()).toBe('active')
})
