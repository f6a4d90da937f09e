import { and, eq, ne } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { ensurePlatform } from '../../api/tenancy/tenants/first-start.ts'
import { findTenantBySubdomain } from '../../db/repos/tenancy/tenants.ts'
import { idempotencyKeys } from '../../db/tables/operations/idempotency-keys.ts'
import { tenants } from '../../db/tables/tenancy/tenants.ts'
import { systemClock } from '../../shared/clock.ts'
import { createKeys } from '../../shared/jobs/keys.ts'
import { type Api, createApi } from '../harness/api-client.ts'
import { eventually, tokenOf } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'

let service: Processes
let platform: Api
beforeAll(async () => {
  service = await startProcesses({ CREDENTIAL_DEADLINE_MS: '3000' })
  platform = await platformOf(service)
})
afterAll(() => service?.[Symbol.asyncDispose]())

async function platformOf({ origin, config, db, bus }: Processes): Promise<Api> {
  const deps = { config, db, clock: systemClock, keys: createKeys(bus, 20_000) }
  const { baseUrl, clientId, clientSecret } = await ensurePlatform(deps, undefined)
  const { host } = new URL(baseUrl)
  return createApi(origin, host, await tokenOf(origin, host, clientId, clientSecret))
}

test('a tenant whose creation was killed has a secret that the repeat gets', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-10_000)))
  const { db, origin } = service
  const { id: platformId } = (await findTenantBySubdomain(db.read, 'platform'))!
  const body = { name: 'Killed', subdomain: 'killed' }
  const send = () => platform.post('/v1/tenants', body, { 'idempotency-key': 'killed' })
  service.pause('signing')
  const first = send().catch(() => 'killed')
  const ofRequest = and(eq(idempotencyKeys.tenantId, platformId), ne(idempotencyKeys.state, 'running'))
  await eventually(async () => (await db.read.select().from(idempotencyKeys).where(ofRequest)).length === 1)
  await service.kill('web')
  expect(await first).toBe('killed')
  service.resume('signing')
  await service.start('web')
  const again = await eventually(async () => {
    const repeated = await send()
    return repeated.status === 409 ? undefined : repeated
  })
  expect(again).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } })
  const { client, baseUrl, id, did } = again.body
  const { host } = new URL(baseUrl)
  const token = await tokenOf(origin, host, client.clientId, client.clientSecret)
  expect(await createApi(origin, host, token).get('/v1/dids')).toMatchObject({ status: 200, body: { data: [{ did }] } })
  const made = await db.read.select().from(tenants).where(eq(tenants.subdomain, 'killed'))
  expect(made).toMatchObject([{ id, state: 'active' }])
})
