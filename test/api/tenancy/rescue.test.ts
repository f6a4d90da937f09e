import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { replacePlatformClients } from '../../../api/tenancy/tenants/first-start.ts'
import { tenants } from '../../../db/tables/tenancy/tenants.ts'
import { createApi } from '../../harness/api-client.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'

let service: Service
let tenant: TestTenant
let path: string
let platformPath: string
beforeAll(async () => {
  service = await startService()
  tenant = await service.addTenant()
  path = `/v1/tenants/${tenant.id}/clients`
  const [platform] = await service.deps.db.read.select().from(tenants).where(eq(tenants.kind, 'platform'))
  platformPath = `/v1/tenants/${platform!.id}/clients`
})
afterAll(() => service[Symbol.asyncDispose]())

interface Secret {
  clientId: string
  clientSecret: string
}

const grant_type = 'client_credentials'
/** Requests a token with a secret at a host. */
const requestTokenWith = async ({ clientId, clientSecret }: Secret, host: string = tenant.host) => {
  const body = { client_id: clientId, client_secret: clientSecret, grant_type }
  return createApi(service.origin, host).post('/oauth/token', body)
}
const replaced = async (clientId: string, body: unknown): Promise<Secret> => {
  const answer = await tenant.operator.post(`${path}/${clientId}/secret`, body)
  expect(answer).toMatchObject({ status: 201, body: { clientId, clientSecret: expect.stringMatching(/^[\w-]{43}$/) } })
  return answer.body
}
const newClient = async (): Promise<Secret> =>
  (await tenant.operator.post(path, { name: 'Lost', roles: ['auditor'] })).body

describe("a client's secret", () => {
  test('is replaced at once, and tokens of the old secret end', async () => {
    const before = await newClient()
    const { access_token } = (await requestTokenWith(before)).body
    const after = await replaced(before.clientId, {})
    expect((await requestTokenWith(before)).status).toBe(401)
    expect((await requestTokenWith(after)).status).toBe(200)
    expect(await createApi(service.origin, tenant.host, access_token).get('/v1/events')).toMatchObject({ status: 401 })
  })

  test('stays valid during the overlap, with its tokens, but only the last replaced one', async () => {
    const first = await newClient()
    const { access_token } = (await requestTokenWith(first)).body
    const second = await replaced(first.clientId, { overlapSeconds: 60 })
    expect(await createApi(service.origin, tenant.host, access_token).get('/v1/events')).toMatchObject({ status: 200 })
    expect([(await requestTokenWith(first)).status, (await requestTokenWith(second)).status]).toEqual([200, 200])
    const third = await replaced(first.clientId, { overlapSeconds: 60 })
    expect([
      (await requestTokenWith(first)).status,
      (await requestTokenWith(second)).status,
      (await requestTokenWith(third)).status,
    ]).toEqual([401, 200, 200])
    service.clock.advance(60_000)
    expect([(await requestTokenWith(second)).status, (await requestTokenWith(third)).status]).toEqual([401, 200])
  })

  test('can be replaced only for a client of the tenant, with an overlap of at most 30 days', async () => {
    const { clientId } = await newClient()
    const wrong = await tenant.operator.post(`${path}/${clientId}/secret`, { overlapSeconds: 30 * 86_400 + 1 })
    expect(wrong).toMatchObject({ status: 400, body: { details: [{ param: 'overlapSeconds', location: 'body' }] } })
    const theirs = { status: 404, body: { details: [{ param: 'clientId' }] } }
    expect(await service.operator.post(`/v1/tenants/${service.id}/clients/${clientId}/secret`, {})).toMatchObject(
      theirs,
    )
    expect(await service.operator.post(`${path}/${clientId}/secret`, {})).toMatchObject({
      status: 404,
      body: { details: [{ param: 'tenantId' }] },
    })
  })
})

describe('the platform', () => {
  test("lists, creates and deletes clients of any tenant and replaces their secrets, and the tenant's audit records it", async () => {
    const created = await service.platform.post(path, { name: 'Rescue', roles: ['admin'] })
    expect(created).toMatchObject({ status: 201, body: { roles: ['admin'] } })
    const { clientId } = created.body as Secret
    expect((await requestTokenWith(created.body)).status).toBe(200)
    expect((await service.platform.get(path)).body.data).toContainEqual(expect.objectContaining({ clientId }))
    const again = await service.platform.post(`${path}/${clientId}/secret`, {})
    expect((await requestTokenWith(again.body)).status).toBe(200)
    expect((await service.platform.delete(`${path}/${clientId}`)).status).toBe(204)
    expect((await requestTokenWith(again.body)).status).toBe(401)

    const auditTypes = async (api: TestTenant['operator']) =>
      (await api.get('/v1/events?categories=AUDIT&limit=1000')).body.data
        .filter(({ data }: { data: { id?: string } }) => data.id === clientId)
        .map(({ type }: { type: string }) => type)
    expect((await auditTypes(tenant.operator)).sort()).toEqual([
      'TENANT_CLIENT_CREATE_AUDIT',
      'TENANT_CLIENT_DELETE_AUDIT',
      'TENANT_CLIENT_SECRET_CREATE_AUDIT',
    ])
  })

  test('finds no clients of an unknown or deleted tenant', async () => {
    const gone = await service.addTenant()
    await service.platform.delete(`/v1/tenants/${gone.id}`)
    for (const id of [randomUUID(), gone.id]) {
      const notThere = { status: 404, body: { details: [{ param: 'tenantId', location: 'params' }] } }
      expect(await service.platform.get(`/v1/tenants/${id}/clients`)).toMatchObject(notThere)
      expect(await service.platform.post(`/v1/tenants/${id}/clients`, { name: 'x', roles: ['admin'] })).toMatchObject(
        notThere,
      )
    }
  })

  test('has its own clients, which have only the platform role', async () => {
    const refused = await service.platform.post(platformPath, { name: 'x', roles: ['admin'] })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'roles.0', location: 'body' }] } })
    expect(await service.platform.post(path, { name: 'x', roles: ['platform'] })).toMatchObject({ status: 400 })
    const created = await service.platform.post(platformPath, { name: 'Second', roles: ['platform'] })
    expect(created).toMatchObject({ status: 201, body: { permissions: ['tenants:*'] } })
    const { platformHost } = service.deps.config
    const { access_token } = (await requestTokenWith(created.body, platformHost)).body
    const second = createApi(service.origin, platformHost, access_token)
    expect(await second.get('/v1/tenants')).toMatchObject({ status: 200 })
    expect((await service.platform.delete(`${platformPath}/${created.body.clientId}`)).status).toBe(204)
    expect(await second.get('/v1/tenants')).toMatchObject({ status: 401 })
  })

  test('hides its clients from clients of tenants', async () => {
    expect(await tenant.operator.get(platformPath)).toMatchObject({ status: 404 })
    expect(await tenant.operator.post(platformPath, { name: 'x', roles: ['platform'] })).toMatchObject({ status: 404 })
  })

  test('can replace its lost clients with a new one', async () => {
    const { client, deleted } = await replacePlatformClients(service.deps)
    expect(deleted).toBeGreaterThan(0)
    expect(await service.platform.get('/v1/tenants')).toMatchObject({ status: 401 })
    const { platformHost } = service.deps.config
    const { access_token } = (await requestTokenWith(client, platformHost)).body
    const rescued = createApi(service.origin, platformHost, access_token)
    const listed = await rescued.get(platformPath)
    expect(listed.body.data).toMatchObject([{ clientId: client.clientId }])
  })
})
