import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditEvents } from '../../../db/tables/operations/audit-events.ts'
import { newLinksTenant } from '../../harness/bulk-links.ts'
import { sdJwtConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'
import { newWallet } from '../../wallets/wallet.ts'

const path = '/v1/claim-links'
let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const claims = { given_name: 'Ada' }

test('one person collects a credential with a claim link that was made without a file', async () => {
  const { tenant, operator, configurationId, press, links, rows } = await newLinksTenant(service)
  const keep = { email: 'ada@example.org' }
  const { status, body } = await operator.post(path, {
    ...{ configurationIds: [configurationId], claims, externalId: 's-17', label: 'KD-20417', keep },
    ...{ expiresIn: { days: 2 }, transactionCode: { description: 'In your letter' } },
  })
  const made = { row: 1, externalId: 's-17', label: 'KD-20417', link: expect.stringContaining('/l/') }
  expect([status, body]).toEqual([
    201,
    {
      ...{ ...made, bulkIssuanceId: expect.any(String), transactionCode: expect.stringMatching(/^\d{6}$/) },
      expiresAt: expect.stringMatching(/Z$/),
    },
  ])
  const { bulkIssuanceId: id, link, transactionCode } = body
  const days = (Date.parse(body.expiresAt) - service.deps.clock.now().getTime()) / 86_400_000
  expect(days).toBeCloseTo(2, 1)
  // The answer is the only copy of the code.
  expect(await links(id)).toEqual([{ row: 1, externalId: 's-17', link, email: 'ada@example.org' }])
  expect(await rows(id)).toMatchObject([{ row: 1, state: 'open', externalId: 's-17', label: 'KD-20417' }])

  const wallet = await newWallet(tenant, service.origin, await press(link))
  const { data: offers } = (await operator.get('/v1/openid/offers')).body
  expect(offers).toMatchObject([{ label: 'KD-20417' }])
  expect(await wallet.redeem({ tx_code: transactionCode })).toMatchObject({ status: 200 })
  expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
  expect(await rows(id)).toMatchObject([{ state: 'collected' }])
  const audit = await service.deps.db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, tenant.id))
  expect(JSON.stringify(audit)).toContain(id)
  expect(JSON.stringify(audit)).not.toMatch(/ada@example|Ada|KD-20417/)
})

test('it is renewed, revoked and deleted as a link of a file, and is in no list of files', async () => {
  const { tenant, operator, configurationId, rows } = await newLinksTenant(service)
  const { body } = await operator.post(path, { configurationIds: [configurationId], claims })
  const { bulkIssuanceId: id } = body
  const item = `/v1/bulk-issuances/${id}`
  expect((await operator.get(item)).body).toMatchObject({ source: 'person', state: 'done', total: 1, done: 1 })
  expect((await operator.get('/v1/bulk-issuances')).body.data).toEqual([])
  expect((await operator.get('/v1/bulk-issuances?source=person')).body.data).toMatchObject([{ id }])
  expect(await operator.delete(`/v2/credentials/compact/configurations/${configurationId}`)).toMatchObject({
    status: 409,
  })
  const renewed = await operator.post(`${item}/rows/1/link`, {})
  expect(renewed).toMatchObject({ status: 200, body: { row: 1 } })
  expect(renewed.body.link).not.toBe(body.link)
  expect(await operator.delete(`${item}/rows/1/link`)).toMatchObject({ status: 204 })
  expect(await rows(id)).toMatchObject([{ state: 'revoked' }])
  expect(await operator.delete(item)).toMatchObject({ status: 204 })
  expect(await tenant.anonymous.get(new URL(renewed.body.link).pathname)).toMatchObject({ status: 404 })
})

test('the erasure of its user removes it', async () => {
  const { tenant, operator, configurationId, rows } = await newLinksTenant(service)
  const { id: userId } = (await operator.post('/v1/users', { claims })).body
  // The user has the required claim.
  const { status, body } = await operator.post(path, { configurationIds: [configurationId], userId, externalId: 's-1' })
  expect(status).toBe(201)
  expect(await operator.delete(`/v1/users/${userId}`)).toMatchObject({ status: 204 })
  expect(await rows(body.bulkIssuanceId)).toEqual([])
  expect(await tenant.anonymous.get(new URL(body.link).pathname)).toMatchObject({ status: 404 })
})

test('a repeated request with the same Idempotency-Key makes one link', async () => {
  const { operator, configurationId } = await newLinksTenant(service)
  const request = { configurationIds: [configurationId], claims, transactionCode: true }
  const headers = { 'idempotency-key': randomUUID() }
  const first = await operator.post(path, request, headers)
  expect(await operator.post(path, request, headers)).toMatchObject({ status: 201, body: first.body })
  expect((await operator.get('/v1/bulk-issuances?source=person')).body.data).toHaveLength(1)
})

const refusals: [name: string, extra: object, param: string, msg: RegExp][] = [
  ['a missing claim', { claims: {} }, 'claims', /given_name/],
  ['an unknown configuration', { configurationIds: [randomUUID()] }, 'configurationIds', /Not Found/],
  ['an unknown user', { userId: randomUUID() }, 'userId', /Not Found/],
  ['a short lifetime', { expiresIn: { hours: 0 } }, 'expiresIn', /between 1 hour and 365 days/],
  ['a sign-in with a transaction code', { signIn: true, transactionCode: true }, 'signIn', /Not possible together/],
  ['a sign-in without a provider', { signIn: { claim: 'given_name' } }, 'signIn', /no authentication provider/],
  ['a kept cell with the name of a result', { keep: { link: 'x' } }, 'keep', /is a column of the results/],
  ['kept cells that are too large', { keep: { note: 'a'.repeat(4_000) } }, 'keep', /At most 4000/],
]
test.each(refusals)('%s is refused, and nothing is stored', async (_name, extra, param, msg) => {
  const { operator, configurationId } = await newLinksTenant(service)
  const { status, body } = await operator.post(path, { configurationIds: [configurationId], claims, ...extra })
  const detail = { param: expect.stringContaining(param), msg: expect.stringMatching(msg) }
  expect([status, body.details]).toEqual([400, [expect.objectContaining(detail)]])
  expect((await operator.get('/v1/bulk-issuances?source=person')).body.data).toEqual([])
})

test('a refusal of claims names the kind of the credential', async () => {
  const { operator } = await newLinksTenant(service)
  const configurationIds = [await sdJwtConfiguration({ operator })]
  const { status, body } = await operator.post(path, { configurationIds, claims: {} })
  expect([status, body.details]).toMatchObject([400, [{ msg: expect.stringContaining(', in an sd-jwt credential') }]])
})

test('a sign-in needs the claim that must match', async () => {
  const { operator, configurationId } = await newLinksTenant(service)
  const provider = { url: 'https://login.example.org', clientId: 'single', clientSecret: 'secret' }
  await operator.post('/v1/users/authentication-providers', provider)
  const request = { configurationIds: [configurationId], claims, signIn: { claim: 'email' } }
  expect(await operator.post(path, request)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'claims', msg: 'There is no value for claims.email, which the sign-in needs' }] },
  })
  const withEmail = { ...request, claims: { ...claims, email: 'ada@example.org' } }
  expect(await operator.post(path, withEmail)).toMatchObject({ status: 201 })
})
