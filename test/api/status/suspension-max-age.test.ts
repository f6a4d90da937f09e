import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIaca } from '../../certificates/hierarchy.ts'
import { mdlConfiguration, sdJwtConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { issueSdJwt } from '../../harness/issued-sd-jwt.ts'
import { issueMobile } from '../../harness/mobile-status.ts'
import { readSdJwt } from '../../verifiers/sd-jwt-verifier.ts'
import { fetchToken, readJwtToken } from '../../verifiers/token-list-reader.ts'

let service: Service
let tenant: TestTenant
let suspendable: string
let revocable: string
beforeAll(async () => {
  service = await startService()
  tenant = await service.addTenant()
  await newIaca(tenant)
  suspendable = await newSuspendable()
  const [mobile] = await issueMobile(service, tenant, await mdlConfiguration(tenant, { includeStatus: true }))
  revocable = mobile!.reference!.uri
})
afterAll(() => service?.[Symbol.asyncDispose]())

async function newSuspendable(of = tenant): Promise<string> {
  const [issued] = await issueSdJwt(service, of, await sdJwtConfiguration(of, { includeStatus: true }))
  return readSdJwt(issued!.credential).payload.status!.status_list.uri
}

/** The time to live in the list, and the header of the response. */
async function lifetimes(uri: string, of = tenant) {
  const { bytes, headers } = await fetchToken(service.origin, of, uri, { accept: 'application/statuslist+jwt' })
  const { ttl } = await readJwtToken(bytes.toString())
  return [ttl, headers['cache-control']]
}

const set = (settings: object) => service.platform.put(`/v1/tenants/${tenant.id}`, settings)
const aDay = [86_400, 'public, max-age=86400']

test('the setting limits the time to live of lists with suspensions, of existing ones too, and of no others', async () => {
  expect([await lifetimes(suspendable), await lifetimes(revocable)]).toEqual([aDay, aDay])
  expect(await set({ suspensionMaxAgeSeconds: 300 })).toMatchObject({ body: { suspensionMaxAgeSeconds: 300 } })
  await eventually(async () => (await lifetimes(suspendable))[0] === 300)
  expect([await lifetimes(suspendable), await lifetimes(revocable)]).toEqual([[300, 'public, max-age=300'], aDay])
  expect(await set({})).toMatchObject({ body: { suspensionMaxAgeSeconds: 300 } })
  expect(await set({ suspensionMaxAgeSeconds: null })).toMatchObject({ status: 200 })
  await eventually(async () => (await lifetimes(suspendable))[0] === 86_400)
})

test('a new list has the limit of its tenant', async () => {
  const other = await service.addTenant({ suspensionMaxAgeSeconds: 60 })
  await newIaca(other)
  expect(await lifetimes(await newSuspendable(other), other)).toEqual([60, 'public, max-age=60'])
})

test.each([59, 31_536_001, 1.5, '300'])('%s is refused', async (suspensionMaxAgeSeconds) => {
  const refused = { status: 400, body: { details: [{ param: 'suspensionMaxAgeSeconds' }] } }
  expect(await set({ suspensionMaxAgeSeconds })).toMatchObject(refused)
})
