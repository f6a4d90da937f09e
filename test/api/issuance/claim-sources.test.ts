import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findClaimSource } from '../../../db/repos/issuance/claim-sources.ts'
import { claimSourceContext } from '../../../shared/secrets/stored-contexts.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { startReceiver } from '../../servers/receiver.ts'

const path = '/v1/claim-sources'
const minimal = {
  name: 'Student register',
  url: 'https://register.example.com/students',
  authorization: { type: 'api-key', value: 'kept-secret-between-us' },
}
const clientCredentials = {
  type: 'oauth-client-credentials',
  value: {
    tokenUrl: 'https://login.example.com/token',
    clientId: 'trustwright',
    clientSecret: 'known to the two of us',
    scope: 'students:read students:list',
  },
}

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('a claim source is created, returned with a masked key, listed, replaced and deleted', async () => {
  const { operator } = await service.addTenant()
  const created = await operator.post(path, minimal)
  const view = {
    ...minimal,
    id: created.body.id,
    authorization: { type: 'api-key', value: '********en-us' },
    requestMethod: 'GET',
    requestParameters: {},
    onFailure: 'refuse',
  }
  expect(created.status).toBe(201)
  expect(created.body).toStrictEqual(view)
  expect(await operator.get(`${path}/${view.id}`)).toMatchObject({ status: 200, body: view })
  expect((await operator.get(path)).body).toStrictEqual({ data: [view] })

  const content = {
    name: 'Another register',
    url: 'https://register.example.com/people?kind=student',
    requestMethod: 'POST',
    requestParameters: { email: { mapFrom: 'claims.email', defaultValue: 'none' }, country: { defaultValue: 'NZ' } },
  }
  const updated = await operator.put(`${path}/${view.id}`, { ...content, authorization: clientCredentials })
  const value = { ...clientCredentials.value, clientSecret: '********of us' }
  expect(updated.status).toBe(200)
  expect(updated.body).toStrictEqual({
    id: view.id,
    ...content,
    onFailure: 'refuse',
    authorization: { ...clientCredentials, value },
  })

  expect(await operator.delete(`${path}/${view.id}`)).toMatchObject({ status: 204, body: undefined })
  expect(await operator.delete(`${path}/${view.id}`)).toMatchObject({ status: 404 })
})

test.each([
  ['a key', minimal.authorization, 'kept-secret-between-us'],
  ['a client secret', clientCredentials, 'known to the two of us'],
])(
  '%s is stored encrypted, and does not change if the request contains its mask',
  async (_what, authorization, secret) => {
    const { operator, id: tenantId } = await service.addTenant()
    const { body: source } = await operator.post(path, { ...minimal, authorization })
    const stored = async () => (await findClaimSource(service.deps.db.read, tenantId, source.id))!
    const opened = async () =>
      service.deps.secrets.open((await stored()).sealedAuthorization, claimSourceContext(source.id))
    expect(JSON.stringify(await stored())).not.toContain(secret)

    const renamed = await operator.put(`${path}/${source.id}`, { ...source, name: 'Renamed' })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Renamed', authorization: source.authorization } })
    expect(await opened()).toContain(secret)

    const other = { type: 'api-key', value: 'another-key' }
    await operator.put(`${path}/${source.id}`, { ...source, authorization: other })
    expect(JSON.parse(await opened())).toBe('another-key')
  },
)

const atToken = (changes: object) => ({
  authorization: { ...clientCredentials, value: { ...clientCredentials.value, ...changes } },
})
const elsewhere = { url: 'https://register.example.org/students' }
const tokenElsewhere = { tokenUrl: 'https://login.example.org/token' }
const keyField = 'authorization.value'
const secretField = 'authorization.value.clientSecret'

test.each([
  [
    'a key, with the source',
    minimal.authorization,
    (mask: string) => ({ authorization: { type: 'api-key', value: mask }, ...elsewhere }),
    keyField,
  ],
  [
    'a client secret, with the source',
    clientCredentials,
    (mask: string) => ({ ...atToken({ clientSecret: mask }), ...elsewhere }),
    secretField,
  ],
  [
    'a client secret, with its token endpoint',
    clientCredentials,
    (mask: string) => atToken({ clientSecret: mask, ...tokenElsewhere }),
    secretField,
  ],
])('%s at another origin, is required again', async (_what, authorization, moved, param) => {
  const { operator, id: tenantId } = await service.addTenant()
  const { body: source } = await operator.post(path, { ...minimal, authorization })
  const { value } = source.authorization
  const stored = () => findClaimSource(service.deps.db.read, tenantId, source.id)
  const before = await stored()
  for (const mask of [value.clientSecret ?? value, '********', '********other']) {
    const answer = await operator.put(`${path}/${source.id}`, { ...source, ...moved(mask) })
    expect(answer, mask).toMatchObject({ status: 400, body: { details: [{ param, location: 'body' }] } })
    expect(answer.body.details[0]).not.toHaveProperty('value')
  }
  expect(await stored()).toEqual(before)
  expect(await operator.put(`${path}/${source.id}`, { ...source, ...moved('another-secret') })).toMatchObject({
    status: 200,
  })
  const { sealedAuthorization } = (await stored())!
  const opened = service.deps.secrets.open(sealedAuthorization, claimSourceContext(source.id))
  expect(opened).toContain('another-secret')
})

test('a change of path keeps the secret, and a mask is never stored as a secret', async () => {
  const { operator, id: tenantId } = await service.addTenant()
  const { body: source } = await operator.post(path, { ...minimal, authorization: clientCredentials })
  const { value } = source.authorization
  const opened = async () => {
    const { sealedAuthorization } = (await findClaimSource(service.deps.db.read, tenantId, source.id))!
    return service.deps.secrets.open(sealedAuthorization, claimSourceContext(source.id))
  }
  const url = 'https://register.example.com/people?kind=student'
  const authorization = { ...clientCredentials, value: { ...value, tokenUrl: 'https://login.example.com/another' } }
  expect(await operator.put(`${path}/${source.id}`, { ...source, url, authorization })).toMatchObject({ status: 200 })
  expect(JSON.parse(await opened())).toMatchObject({ clientSecret: clientCredentials.value.clientSecret })

  const masks = [
    [{ type: 'api-key', value: value.clientSecret.replace(' ', '-') }, keyField],
    [atToken({ clientSecret: '********other' }).authorization, secretField],
  ] as const
  for (const [authorization, param] of masks) {
    const refused = { status: 400, body: { details: [{ param }] } }
    expect(await operator.put(`${path}/${source.id}`, { ...source, authorization })).toMatchObject(refused)
    expect(await operator.post(path, { ...minimal, authorization })).toMatchObject(refused)
  }
})

test('a concurrent update with the mask does not restore a replaced key', async () => {
  const { operator, id: tenantId } = await service.addTenant()
  const { body: source } = await operator.post(path, minimal)
  for (let round = 0; round < 20; round++) {
    const { body: shown } = await operator.get(`${path}/${source.id}`)
    const key = `key-of-round-${round}`
    await Promise.all([
      operator.put(`${path}/${source.id}`, { ...shown, authorization: { type: 'api-key', value: key } }),
      operator.put(`${path}/${source.id}`, { ...shown, name: `Round ${round}` }),
    ])
    const { sealedAuthorization } = (await findClaimSource(service.deps.db.read, tenantId, source.id))!
    expect(JSON.parse(service.deps.secrets.open(sealedAuthorization, claimSourceContext(source.id)))).toBe(key)
  }
})

test('a claim source with wrong fields is refused with the name of each', async () => {
  const withToken = (fields: object) => ({
    authorization: { ...clientCredentials, value: { ...clientCredentials.value, ...fields } },
  })
  const wrong = [
    [{ name: undefined, url: undefined }, ['name', 'url']],
    [{ url: 'http://register.example.com' }, ['url']],
    [{ url: 'https://10.0.0.1' }, ['url']],
    [{ url: 'https://me:pw@register.example.com' }, ['url']],
    [{ url: 'https://register.example.com#top' }, ['url']],
    [{ url: 'https://metadata.internal' }, ['url']],
    [{ authorization: { type: 'none', value: 'x' } }, ['authorization.type']],
    [{ authorization: { type: 'api-key' } }, ['authorization.value']],
    [{ authorization: { type: 'api-key', value: 'a\r\nhost: b' } }, ['authorization.value']],
    [{ authorization: { ...clientCredentials, value: 'x' } }, ['authorization.value']],
    [withToken({ tokenUrl: 'http://login.example.com' }), ['authorization.value.tokenUrl']],
    [{ ...withToken({ tokenUrl: 'https://::1' }), url: 'ftp://x' }, ['url', 'authorization.value.tokenUrl']],
    [withToken({ clientSecret: undefined }), ['authorization.value.clientSecret']],
    [withToken({ scope: 'a  b' }), ['authorization.value.scope']],
    [{ requestMethod: 'PUT' }, ['requestMethod']],
    [{ requestParameters: { a: {} } }, ['requestParameters.a']],
    [{ requestParameters: { a: { mapFrom: 'process.env' } } }, ['requestParameters.a.mapFrom']],
    [{ requestParameters: { a: { defaultValue: 1 } } }, ['requestParameters.a.defaultValue']],
  ] as const
  for (const [fields, params] of wrong) {
    const answer = await service.operator.post(path, { ...minimal, ...fields })
    expect(answer, JSON.stringify(fields)).toMatchObject({ status: 400, body: { message: 'Validation Error' } })
    expect(answer.body.details.map(({ param }: { param: string }) => param)).toEqual(params)
  }
})

test('http URLs are accepted for loopback in development only', async () => {
  const body = { ...minimal, url: 'http://localhost:4000' }
  expect(await service.operator.post(path, body)).toMatchObject({ status: 201 })
  await using strict = await startService({ env: { OUTBOUND_ALLOW_LOOPBACK: '0' } })
  expect(await strict.operator.post(path, body)).toMatchObject({ status: 400, body: { details: [{ param: 'url' }] } })
})

test('a configuration can only use a source of its own tenant, and a source in use cannot be deleted', async () => {
  const { body: source } = await service.operator.post(path, minimal)
  const id = await compactConfiguration(service, { claimSourceId: source.id })
  const configurationPath = `/v2/credentials/compact/configurations/${id}`
  const configuration = await service.operator.get(configurationPath)
  expect(configuration.body.claimSourceId).toBe(source.id)
  expect(await service.operator.delete(`${path}/${source.id}`)).toMatchObject({
    status: 409,
    body: { code: 'Conflict' },
  })
  expect(await service.operator.get(`${path}/${source.id}`)).toMatchObject({ status: 200 })

  const foreign = await (await service.addTenant()).operator.post(path, minimal)
  for (const claimSourceId of [foreign.body.id, randomUUID()]) {
    const refused = await service.operator.put(configurationPath, { ...configuration.body, claimSourceId })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'claimSourceId' }] } })
  }
  await service.operator.put(configurationPath, { ...configuration.body, claimSourceId: undefined })
  expect(await service.operator.delete(`${path}/${source.id}`)).toMatchObject({ status: 204 })
})

test('no configuration keeps a source that is deleted at the same time', async () => {
  const races = Array.from({ length: 20 }, async () => {
    const { body: source } = await service.operator.post(path, minimal)
    const body = { claimMappings: { given_name: { mapFrom: 'claims.given_name' } }, claimSourceId: source.id }
    const [made, removed] = await Promise.all([
      service.operator.post('/v2/credentials/compact/configurations', body),
      service.operator.delete(`${path}/${source.id}`),
    ])
    return [made.status, removed.status]
  })
  for (const race of await Promise.all(races)) expect([`201,409`, `400,204`]).toContain(race.join())
})

test('the test of a source uses the given user, and returns the claims or the reason of the failure', async () => {
  const { operator } = await service.addTenant()
  let status = 200
  let content = '{"grade":"A"}'
  await using register = await startReceiver(() => ({ status, body: content }))
  const requestParameters = { email: { mapFrom: 'claims.email' }, who: { mapFrom: 'authenticationProvider.subjectId' } }
  const { body } = await operator.post(path, { ...minimal, url: register.url, requestParameters })
  const testSource = (person: object) => operator.post(`${path}/${body.id}/test`, person)
  const person = { claims: { email: 'ada@example.org' }, authenticationProvider: { subjectId: 'ada' } }
  expect(await testSource(person)).toMatchObject({ status: 200, body: { works: true, claims: { grade: 'A' } } })
  expect(register.deliveries[0]).toMatchObject({ path: '/hook?email=ada%40example.org&who=ada' })
  expect(register.deliveries[0]!.headers['x-api-key']).toBe('kept-secret-between-us')
  for (const [answered, said] of Object.entries({
    '[1]': 'an array',
    '1': 'a number',
    null: 'null',
    '': 'empty',
    a: 'not JSON',
  })) {
    content = answered
    expect((await testSource({})).body).toMatchObject({ works: false, message: expect.stringContaining(said) })
  }
  status = 500
  const failed = await testSource({})
  expect(failed).toMatchObject({ status: 200, body: { works: false, message: expect.stringContaining('500') } })
  expect(failed.body).not.toHaveProperty('claims')
  expect(await testSource({ claims: 'none' })).toMatchObject({ status: 400, body: { details: [{ param: 'claims' }] } })
  expect(await operator.post(`${path}/${randomUUID()}/test`, {})).toMatchObject({ status: 404 })
})
