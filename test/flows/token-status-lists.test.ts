import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crlOf, newIaca } from '../certificates/hierarchy.ts'
import { mdlConfiguration } from '../harness/factories.ts'
import { eventually, joinService, type SharedService, type TestTenant } from '../harness/harness.ts'
import { type IssuedMobile, issueMobile, mobileStatusOf, readNow, setMobileStatus } from '../harness/mobile-status.ts'
import { verifyStrictly } from '../verifiers/openssl.ts'
import { fetchToken, readJwtToken } from '../verifiers/token-list-reader.ts'

let service: SharedService
let legacy: TestTenant
beforeAll(async () => {
  service = await joinService()
  legacy = await service.addTenant({ statusListFormat: 'legacy' })
})
afterAll(() => service[Symbol.asyncDispose]())

const issue = (tenant: TestTenant, configurationId: string, copies = 1) =>
  issueMobile(service, tenant, configurationId, copies)
const read = (tenant: TestTenant, uri: string, format: 'draft14' | 'legacy' = 'draft14') =>
  readNow(service, tenant, uri, format)

test('a credential names its entry in a shared status list, which is signed under its IACA', async () => {
  const tenant = await service.addTenant()
  const iaca = await newIaca(tenant, { stateOrProvinceName: 'Wellington' })
  const configurationId = await mdlConfiguration(tenant, { includeStatus: true })
  const [first, second, third] = await issue(tenant, configurationId, 3)
  const [other] = await issue(tenant, configurationId)
  const all = [first, second, third, other].map((each) => each!.reference!)
  expect(new Set(all.map(({ uri }) => uri)).size).toBe(1)
  const { uri } = all[0]!
  const listId = uri.split('/').at(-2)
  expect(uri).toBe(`${tenant.baseUrl}/v2/credentials/mobile/status-lists/${listId}/token`)
  // Neither in a row nor near each other.
  const positions = all.map(({ idx }) => idx).sort((a, b) => a - b)
  expect(new Set(positions).size).toBe(4)
  expect(positions.every((idx) => idx >= 0 && idx < 100_000)).toBe(true)
  expect(positions.at(-1)! - positions[0]!).toBeGreaterThan(100)

  const token = await read(tenant, uri)
  expect(token.statuses).toHaveLength(100_000)
  expect(token).toMatchObject({ uri, bits: 1, ttl: 86_400, set: {} })
  expect(token.exp - token.iat).toBe(7 * 86_400)
  expect([...token.header.keys()]).toEqual([1, 16, 33])
  expect(token.header.get(16)).toBe('application/statuslist+cwt')
  expect([...token.claims.keys()]).toEqual([2, 6, 4, 65534, 65533])
  const crl = await crlOf(service, tenant, iaca.id)
  expect(await verifyStrictly({ leaf: token.signer, root: iaca.certificatePem, crl })).toBe('leaf.pem: OK\n')

  expect(await setMobileStatus(tenant, second!.id, 'invalid')).toMatchObject({
    status: 201,
    body: { status: 'invalid' },
  })
  const revoked = { [second!.reference!.idx]: 1 }
  await eventually(async () => Object.keys((await read(tenant, uri)).set).length > 0)
  expect((await read(tenant, uri)).set).toEqual(revoked)
  expect(await mobileStatusOf(tenant, second!.id)).toMatchObject({ status: 200, body: { status: 'invalid' } })
  expect((await mobileStatusOf(tenant, first!.id)).body).toEqual({ status: 'valid' })
  const records = (await tenant.operator.get(`/v1/users/${first!.userId}/credentials`)).body.data
  expect(records.map(({ status }: { status: string }) => status).sort()).toEqual(['invalid', 'valid', 'valid'])

  const jwt = await fetchToken(service.origin, tenant, uri, { accept: 'application/statuslist+jwt' })
  expect(jwt.headers['content-type']).toBe('application/statuslist+jwt')
  const asJwt = await readJwtToken(jwt.bytes.toString())
  expect(asJwt).toMatchObject({ uri, bits: 1, ttl: 86_400, set: revoked, signer: token.signer })
  expect(asJwt.aggregationUri).toBe(`${tenant.baseUrl}/v2/credentials/status-lists/distribution`)
  const named = await tenant.anonymous.get('/v2/credentials/mobile/status-lists/distribution')
  expect(named).toMatchObject({ status: 200, body: { status_lists: [uri] } })
  const metadata = await tenant.anonymous.get('/.well-known/oauth-authorization-server')
  expect(metadata.body.status_list_aggregation_endpoint).toBe(asJwt.aggregationUri)
})

describe('the status of a mobile credential', () => {
  let tenant: TestTenant
  let made: IssuedMobile[]
  beforeAll(async () => {
    tenant = await service.addTenant()
    await newIaca(tenant)
    made = await issue(tenant, await mdlConfiguration(tenant, { includeStatus: true }), 3)
  })

  test('stays invalid permanently, changed one by one or in bulk', async () => {
    const { id } = made[0]!
    for (const status of ['valid', 'invalid', 'invalid']) {
      expect(await setMobileStatus(tenant, id, status)).toMatchObject({ status: 201, body: { status } })
    }
    expect(await setMobileStatus(tenant, id, 'valid')).toMatchObject({ status: 409 })
    const ids = made.map((each) => each.id)
    const bulk = (credentials: string[], isRevoked: boolean) =>
      tenant.operator.post('/v2/credentials/revocation-status', { credentials, isRevoked })
    const back = await bulk(ids, false)
    const path = `/v2/credentials/revocation-status/${back.body.id}`
    const ended = await eventually(async () => {
      const { body } = await tenant.operator.get(path)
      return body.state === 'done' && body
    })
    expect(ended).toMatchObject({
      done: 3,
      failed: [{ id, reason: 'This credential is invalid. This status is final.' }],
    })
    await bulk(ids, true)
    await eventually(async () => (await mobileStatusOf(tenant, ids[2]!)).body.status === 'invalid')
    expect((await mobileStatusOf(tenant, id)).body).toEqual({ status: 'invalid' })
  })

  test('cannot be suspended if its list has no value for that', async () => {
    const refused = await setMobileStatus(tenant, made[1]!.id, 'suspended')
    expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'status' }] } })
  })

  test('does not exist for a credential of another profile or tenant, or without an index', async () => {
    const [plain] = await issue(tenant, await mdlConfiguration(tenant))
    expect(plain!.reference).toBeUndefined()
    for (const answer of [
      await mobileStatusOf(tenant, plain!.id),
      await setMobileStatus(tenant, plain!.id, 'suspended'),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { details: [{ msg: 'This credential is not revocable' }] } })
    }
    expect(await mobileStatusOf(legacy, made[0]!.id)).toMatchObject({ status: 404 })
    expect(await setMobileStatus(legacy, made[0]!.id, 'invalid')).toMatchObject({ status: 404 })
  })

  test('is invalid permanently after its record or person was deleted', async () => {
    const configurationId = await mdlConfiguration(tenant, { includeStatus: true })
    const [deleted] = await issue(tenant, configurationId)
    const [erased] = await issue(tenant, configurationId)
    expect((await tenant.operator.delete(`/v2/credentials/mobile/${deleted!.id}`)).status).toBe(204)
    expect((await tenant.operator.delete(`/v1/users/${erased!.userId}`)).status).toBe(204)
    const statuses = { [deleted!.reference!.idx]: 1, [erased!.reference!.idx]: 1 }
    await eventually(async () => {
      const { set } = await read(tenant, erased!.reference!.uri)
      return Object.keys(statuses).every((idx) => set[Number(idx)] === 1)
    })
  })
})

test('lists in the format legacy have two bits, their own claims and the status suspended', async () => {
  await newIaca(legacy)
  const configurationId = await mdlConfiguration(legacy, { includeStatus: true })
  const [one, two, three] = await issue(legacy, configurationId, 3)
  const { uri } = one!.reference!
  expect(await setMobileStatus(legacy, one!.id, 'suspended')).toMatchObject({
    status: 201,
    body: { status: 'suspended' },
  })
  await setMobileStatus(legacy, two!.id, 'invalid')
  await setMobileStatus(legacy, three!.id, 'suspended')
  await setMobileStatus(legacy, three!.id, 'valid')
  const statuses = { [one!.reference!.idx]: 2, [two!.reference!.idx]: 1 }
  await eventually(async () => Object.keys((await read(legacy, uri, 'legacy')).set).length === 2)
  const token = await read(legacy, uri, 'legacy')
  expect(token).toMatchObject({ uri, bits: 2, set: statuses, aggregationUri: undefined })
  expect([...token.header.keys()]).toEqual([16, 1, 33])
  expect(token.header.get(16)).toBe('mattr-statuslist+cwt')
  expect([...token.claims.keys()]).toEqual([2, 6, 4, -65539, -65538])
  const jwt = await fetchToken(service.origin, legacy, uri, { accept: 'application/statuslist+jwt' })
  expect(await readJwtToken(jwt.bytes.toString())).toMatchObject({ bits: 2, set: statuses })
  const named = await legacy.anonymous.get('/v2/credentials/mobile/status-lists/distribution')
  expect(named.body).toEqual({ status_lists: [{ uri }] })
  expect((await setMobileStatus(legacy, two!.id, 'suspended')).status).toBe(409)
  expect((await mobileStatusOf(legacy, one!.id)).body).toEqual({ status: 'suspended' })
})
