import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ env: { OUTBOUND_ALLOW_LOOPBACK: '' } })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const detailOf = ({ body }: { body: { details: object[] } }) => body.details[0]

test('a body that is too large names the limit, in bytes', async () => {
  const name = 'x'.repeat(200_000)
  const answer = await service.operator.post('/v1/webhooks', { name })
  expect(answer).toMatchObject({
    status: 413,
    body: { message: 'The body is larger than 100,000 bytes, the limit of this operation' },
  })
})

test('an unknown purpose of keys names the purposes', async () => {
  const answer = await service.operator.post('/v1/keys/credential/rotate', {})
  expect(answer.status).toBe(404)
  expect(detailOf(answer)).toMatchObject({ param: 'purpose', msg: expect.stringContaining('credentials, webhooks') })
})

test('an unknown credential to revoke names the operation that lists credentials', async () => {
  const see = 'GET /v2/credentials/issued'
  const compact = `/v2/credentials/compact/${randomUUID()}/revocation-status`
  expect(detailOf(await service.operator.post(compact, { isRevoked: true }))).toMatchObject({ param: 'id', see })
  const mobile = `/v2/credentials/mobile/${randomUUID()}/status`
  expect(detailOf(await service.operator.post(mobile, { status: 'invalid' }))).toMatchObject({ see })
})

test('the address of an offer that is opened by its id names the address for operators', async () => {
  const { id } = await newOffer(service, [await compactConfiguration(service)])
  for (const each of [id, randomUUID(), 'abc']) {
    const answer = await service.anonymous.get(`/v1/openid/offers/${each}`)
    expect(answer.status).toBeOneOf([400, 404])
    expect(JSON.stringify(answer.body)).toContain('GET /v1/openid/offers/{id}/details')
  }
})

test.each(['http://localhost:4000/hooks', 'https://127.0.0.1/hooks', 'http://[::1]:4000/'])(
  'the address %s of this machine names the setting that allows it in development',
  async (url) => {
    const answer = await service.operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url })
    expect(answer.status).toBe(400)
    expect(detailOf(answer)).toMatchObject({ param: 'url', msg: expect.stringContaining('OUTBOUND_ALLOW_LOOPBACK=1') })
  },
)

test('a page of the console that reads a deleted object makes no failed event, but a program does', async () => {
  const path = `/v1/users/${randomUUID()}`
  const headers = { 'X-Console': '1' }
  const { clientId, clientSecret } = service
  const session = await service.anonymous.post('/console/session', { clientId, clientSecret }, headers)
  const cookie = String([session.headers['set-cookie']].flat()[0]).split(';', 1)[0]!
  const page = await service.anonymous.get(path, { ...headers, cookie })
  const change = await service.anonymous.delete(path, { ...headers, cookie })
  const program = await service.operator.get(path)
  expect([page.status, change.status, program.status]).toEqual([404, 404, 404])
  const eventsOf = async (answer: { headers: Record<string, unknown> }) => {
    const { body } = await service.operator.get(`/v1/events?requestIds=${answer.headers['x-request-id']}`)
    return body.data.map(({ type }: { type: string }) => type)
  }
  await eventually(async () => (await eventsOf(program)).includes('USER_RETRIEVE_FAIL'))
  await eventually(async () => (await eventsOf(change)).includes('USER_DELETE_FAIL'))
  // An event of the first request would be stored before those of the later ones.
  expect(await eventsOf(page)).toEqual([])
})
