import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIaca } from '../../certificates/hierarchy.ts'
import { mdlConfiguration, sdJwtConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { issueSdJwt } from '../../harness/issued-sd-jwt.ts'
import { issueMobile, readNow, setMobileStatus } from '../../harness/mobile-status.ts'
import { publishedRow } from '../../harness/published.ts'
import { runNow } from '../../harness/run-now.ts'
import { readSdJwt } from '../../verifiers/sd-jwt-verifier.ts'
import { fetchToken, readCwtToken, readJwtToken } from '../../verifiers/token-list-reader.ts'

const lists = '/v2/credentials/mobile/status-lists'

let service: Service
let tenant: TestTenant
let uri: string
let credentialId: string
beforeAll(async () => {
  service = await startService()
  tenant = await service.addTenant()
  await newIaca(tenant)
  const [issued] = await issueMobile(service, tenant, await mdlConfiguration(tenant, { includeStatus: true }))
  uri = issued!.reference!.uri
  credentialId = issued!.id
})
afterAll(() => service[Symbol.asyncDispose]())

const read = (headers: Record<string, string> = {}, query = '') =>
  fetchToken(service.origin, tenant, uri + query, headers)

test.each([
  ['*/*', 'application/cwt'],
  ['application/cwt', 'application/cwt'],
  ['application/statuslist+cwt', 'application/statuslist+cwt'],
  ['application/statuslist+jwt;q=0.5, application/statuslist+cwt', 'application/statuslist+cwt'],
  ['application/statuslist+jwt', 'application/statuslist+jwt'],
  ['text/html', 'application/cwt'],
])('a reader with Accept: %s receives %s, also from the cache', { tags: 'once' }, async (accept, type) => {
  for (let time = 0; time < 2; time++) {
    const { status, headers, bytes } = await read({ accept, 'accept-encoding': 'gzip' })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=86400',
      'access-control-allow-origin': '*',
      vary: 'Accept, Accept-Encoding',
    })
    const isJwt = type.endsWith('jwt')
    // A CWT is not compressed, because most of it is compressed already.
    expect(headers['content-encoding']).toBe(isJwt ? 'gzip' : undefined)
    const token = isJwt ? await readJwtToken(gunzipSync(bytes).toString()) : readCwtToken(bytes, 'draft14')
    expect(token.uri).toBe(uri)
    const answer = await read({ accept, 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) })
    expect([answer.status, answer.bytes.length]).toEqual([304, 0])
  }
})

test('an unknown list and a list of another tenant answer 404, and a request for an old version answers 501', async () => {
  const unknown = await tenant.anonymous.get(`${lists}/3f2b8d0e-5c5a-4d1c-9d0a-0f6f3b8a1c11/token`)
  expect(unknown).toMatchObject({ status: 404, body: { code: 'NotFound' } })
  expect((await fetchToken(service.origin, service, uri)).status).toBe(404)
  const past = await read({}, '?time=1686925000')
  expect([past.status, JSON.parse(past.bytes.toString()).code]).toEqual([501, 'NotImplemented'])
  expect((await service.anonymous.get(`${lists}/distribution`)).body).toEqual({ status_lists: [] })
})

test('one aggregation has the lists of all profiles of the tenant, oldest first', async () => {
  const [sdJwt] = await issueSdJwt(service, tenant, await sdJwtConfiguration(tenant, { includeStatus: true }))
  const { uri: second } = readSdJwt(sdJwt!.credential).payload.status!.status_list
  const { body: metadata } = await tenant.anonymous.get('/.well-known/oauth-authorization-server')
  const { pathname } = new URL(metadata.status_list_aggregation_endpoint)
  const { status, headers, body } = await tenant.anonymous.get(pathname)
  expect([status, headers['cache-control'], body]).toEqual([200, 'public, max-age=60', { status_lists: [uri, second] }])
  expect((await service.anonymous.get(pathname)).body).toEqual({ status_lists: [] })
})

test('a repeated status changes nothing, and the list keeps its ETag', async () => {
  const { etag } = (await read()).headers
  await setMobileStatus(tenant, credentialId, 'invalid')
  const changed = await eventually(async () => {
    const { headers } = await read()
    return headers.etag !== etag && headers.etag
  })
  const row = () => publishedRow(service.deps.db, tenant.id, uri.split('/').at(-2)!)
  const { version } = await row()
  expect(await setMobileStatus(tenant, credentialId, 'invalid')).toMatchObject({ status: 201 })
  await runNow(service.deps.bus, 'queueDueLists', 'signing-bulk')
  expect((await row()).version).toBe(version)
  expect((await read()).headers.etag).toBe(changed)
})

test('deprecated reads name their sunset and their successor', async () => {
  const id = uri.split('/').at(-2)
  const all = await tenant.operator.get(lists)
  expect(all.headers).toMatchObject({
    deprecation: expect.stringMatching(/^@\d+$/),
    sunset: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} 00:00:00 GMT$/),
    link: `<${lists}/distribution>; rel="successor-version"`,
  })
  const announced = Number(String(all.headers.deprecation).slice(1)) * 1000
  expect(Date.parse(String(all.headers.sunset)) - announced).toBeGreaterThanOrEqual(90 * 24 * 3_600_000)
  const [shown] = all.body.data
  expect(shown).toEqual({
    id,
    iacaId: expect.any(String),
    statusListConfigurationId: expect.any(String),
    listSize: 100_000,
    list: expect.any(String),
  })
  const one = await tenant.operator.get(`${lists}/${id}`)
  expect(one.body).toEqual(shown)
  expect(one.headers.link).toBe(`<${lists}/${id}/token>; rel="successor-version"`)
  expect(readCwtToken(Buffer.from(one.body.list, 'base64'), 'draft14').uri).toBe(uri)
  expect((await tenant.anonymous.get(lists)).status).toBe(401)
  expect((await service.operator.get(`${lists}/${id}`)).status).toBe(404)
  const { paths } = (await service.anonymous.get('/openapi.json')).body
  expect(paths[lists].get.deprecated).toBe(true)
})

test('document types share a list unless they have a configuration, which sets the lifetime of its lists', async () => {
  const own = await service.addTenant()
  await newIaca(own)
  const { operator } = own
  const path = `${lists}/configurations`
  const type = 'org.example.permit'
  const claimMappings = { 'org.example': { name: { mapFrom: 'claims.given_name' } } }
  const issue = async (extra: object) => {
    const [issued] = await issueMobile(service, own, await mdlConfiguration(own, { includeStatus: true, ...extra }))
    return issued!.reference!.uri
  }
  const first = await issue({})
  expect(await issue({ type: 'org.example.other', claimMappings })).toBe(first)

  const body = { docType: type, timeToLiveDuration: { days: 2 }, expiryDuration: { days: 4 } }
  const made = await operator.post(path, body)
  expect(made).toMatchObject({ status: 201, body: { id: expect.any(String), ...body } })
  expect(await operator.post(path, body)).toMatchObject({ status: 409 })
  const wrong = { docType: 'other', timeToLiveDuration: { days: 9 }, expiryDuration: { days: 8 } }
  expect(await operator.post(path, wrong)).toMatchObject({ status: 400 })
  expect((await operator.post(path, { docType: 'usual' })).body).toMatchObject({
    timeToLiveDuration: { days: 1 },
    expiryDuration: { days: 7 },
  })

  const permits = await issue({ type, claimMappings })
  expect(permits).not.toBe(first)
  const token = await readNow(service, own, permits)
  expect([token.ttl, token.exp - token.iat]).toEqual([2 * 86_400, 4 * 86_400])
  const { headers } = await fetchToken(service.origin, own, permits)
  expect(headers['cache-control']).toBe('public, max-age=172800')
  const { id } = made.body
  // Each list names its configuration in the page and in its own view.
  const listed: { id: string; statusListConfigurationId: string }[] = (await operator.get(lists)).body.data
  const configurationOf = (uri: string) => listed.find((each) => uri.includes(each.id))!.statusListConfigurationId
  expect(listed).toHaveLength(2)
  for (const each of listed) expect((await operator.get(`${lists}/${each.id}`)).body).toEqual(each)
  expect(configurationOf(permits)).toBe(id)
  const usual = configurationOf(first)
  const lifetime = { timeToLiveDuration: { days: 1 }, expiryDuration: { days: 7 } }
  expect((await operator.get(`${path}/${usual}`)).body).toEqual({ id: usual, ...lifetime })
  expect((await service.operator.get(`${path}/${usual}`)).status).toBe(404)
  expect((await operator.put(`${path}/${usual}`, lifetime)).status).toBe(404)

  const changes = { timeToLiveDuration: { days: 3 }, expiryDuration: { days: 5 } }
  expect((await operator.put(`${path}/${id}`, changes)).body).toEqual({ id, docType: type, ...changes })
  expect((await operator.get(`${path}/${id}`)).body).toEqual({ id, docType: type, ...changes })
  expect((await operator.get(path)).body.data).toHaveLength(2)
  expect((await operator.delete(`${path}/${id}`)).status).toBe(204)
  expect((await operator.get(`${path}/${id}`)).status).toBe(404)
})
