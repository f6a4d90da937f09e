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
/** The status with which a secret is answered at a host. */
const tried = async ({ clientId, clientSecret }: Secret, host: string = tenant.host) => {
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
  test('is replaced at once, and tokens of the old one go on', async () => {
    const before = await newClient()
    const { access_token } = (await tried(before)).body
    const after = await replaced(before.clientId, {})
    expect((await tried(before)).status).toBe(401)
    expect((await tried(after)).status).toBe(200)
    expect(await createApi(service.origin, tenant.host, access_token).get('/v1/events')).toMatchObject({ status: 200 })
  })

  test('is good for the overlap beside the one that replaces it, and the last replaced one alone', async () => {
    const first = await newClient()
    const second = await replaced(first.clientId, { overlapSeconds: 60 })
    expect([(await tried(first)).status, (await tried(second)).status]).toEqual([200, 200])
    const third = await replaced(first.clientId, { overlapSeconds: 60 })
    expect([(await tried(first)).status, (await tried(second)).status, (await tried(third)).status]).toEqual([
      401, 200, 200,
    ])
    service.clock.advance(60_000)
    expect([(await tried(second)).status, (await tried(third)).status]).toEqual([401, 200])
  })

  test('is replaced for a client of the tenant alone, and for no longer than a month', async () => {
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
  test('lists, makes, deletes and lets in the clients of any tenant, and both audits tell of it', async () => {
    const created = await service.platform.post(path, { name: 'Rescue', roles: ['admin'] })
    expect(created).toMatchObject({ status: 201, body: { roles: ['admin'] } })
    const { clientId } = created.body as Secret
    expect((await tried(created.body)).status).toBe(200)
    expect((await service.platform.get(path)).body.data).toContainEqual(expect.objectContaining({ clientId }))
    const again = await service.platform.post(`${path}/${clientId}/secret`, {})
    expect((await tried(again.body)).status).toBe(200)
    expect((await service.platform.delete(`${path}/${clientId}`)).status).toBe(204)
    expect((await tried(again.body)).status).toBe(401)

    const told = async (api: TestTenant['operator']) =>
      (await api.get('/v1/events?categories=AUDIT&limit=1000')).body.data
        .filter(({ data }: { data: { id?: string } }) => data.id === clientId)
        .map(({ type }: { type: string }) => type)
    expect((await told(tenant.operator)).sort()).toEqual([
      'TENANT_CLIENT_CREATE_AUDIT',
      'TENANT_CLIENT_DELETE_AUDIT',
      'TENANT_CLIENT_SECRET_CREATE_AUDIT',
    ])
  })

  test('knows no clients of what is no tenant, or is none any more', async () => {
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

  test('has clients of its own, who have its role and no other', async () => {
    const refused = await service.platform.post(platformPath, { name: 'x', roles: ['admin'] })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'roles.0', location: 'body' }] } })
    expect(await service.platform.post(path, { name: 'x', roles: ['platform'] })).toMatchObject({ status: 400 })
    const created = await service.platform.post(platformPath, { name: 'Second', roles: ['platform'] })
    expect(created).toMatchObject({ status: 201, body: { permissions: ['tenants:*'] } })
    const { platformHost } = service.deps.config
    const { access_token } = (await tried(created.body, platformHost)).body
    const second = createApi(service.origin, platformHost, access_token)
    expect(await second.get('/v1/tenants')).toMatchObject({ status: 200 })
    expect((await service.platform.delete(`${platformPath}/${created.body.clientId}`)).status).toBe(204)
    expect(await second.get('/v1/tenants')).toMatchObject({ status: 401 })
  })

  test("tenants' clients see nothing of the platform's", async () => {
    expect(await tenant.operator.get(platformPath)).toMatchObject({ status: 404 })
    expect(await tenant.operator.post(platformPath, { name: 'x', roles: ['platform'] })).toMatchObject({ status: 404 })
  })

  test('whose clients are lost gets another one, and the others end', async () => {
    const { client, deleted } = await replacePlatformClients(service.deps)
    expect(deleted).toBeGreaterThan(0)
    expect(await service.platform.get('/v1/tenants')).toMatchObject({ status: 401 })
    const { platformHost } = service.deps.config
    const { access_token } = (await tried(client, platformHost)).body
    const rescued = createApi(service.origin, platformHost, access_token)
    const listed = await rescued.get(platformPath)
    expect(listed.body.data).toMatchObject([{ clientId: client.clientId }])
  })
})
