import { afterAll, beforeAll, expect, test } from 'vitest'
import { iacas } from '../../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../../certificates/openssl-authority.ts'
import {
  activeIaca,
  mappingsFrom,
  mdlClaims,
  mdlConfiguration,
  mdlNamespace,
  sdJwtConfiguration,
} from '../../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'

let service: SharedService
const ids: Record<string, string> = {}
const times = { validFrom: { mapFrom: 'claims.from' }, validUntil: { mapFrom: 'claims.until' } }
const placed = { ...mdlClaims, issuing_jurisdiction: 'NZ-WGN' }
const claimMappings = { [mdlNamespace]: mappingsFrom(placed) }
beforeAll(async () => {
  service = await joinService()
  await activeIaca(service, { stateOrProvinceName: 'NZ-WGN' })
  ids.mobile = await mdlConfiguration(service, { claimMappings, ...times })
  ids['sd-jwt'] = await sdJwtConfiguration(service, {
    ...{ claimMappings: { given_name: { mapFrom: 'claims.given_name' } }, ...times, expiresIn: { months: 1 } },
  })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const offerOf = (profile: string, changes: object, extra: object = {}, tenant: TestTenant = service) =>
  tenant.operator.post('/v1/openid/offers/pre-authorized', {
    credentials: [ids[profile]],
    claims: { ...placed, ...changes },
    ...extra,
  })
const warningsAbout = (body: { warnings?: { claim: string; message: string }[] }, claim: string) =>
  (body.warnings ?? []).filter((each) => each.claim === claim)
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const refusals = [
  ['an end that is over', { until: '2020-01-01' }, 'claims.until'],
  ['an end that is no date', { until: 'soon' }, 'claims.until'],
  ['a begin after the end', { from: dayIn(20), until: dayIn(10) }, 'claims.from'],
] as const

test.each(['mobile', 'sd-jwt'].flatMap((profile) => refusals.map((refusal) => [profile, ...refusal] as const)))(
  'an offer of the profile %s with %s is refused by the name of the claim',
  async (profile, _what, changes, claim) => {
    const { status, body } = await offerOf(profile, changes)
    expect({ status, details: body.details }).toEqual({
      status: 400,
      details: [expect.objectContaining({ param: 'claims', msg: expect.stringContaining(`The claim ${claim} `) })],
    })
    for (const value of Object.values(changes)) expect(body.details[0].msg).not.toContain(value)
  },
)

test.each(['mobile', 'sd-jwt'])(
  'an offer of the profile %s with times in order is made without a warning',
  async (profile) => {
    const { status, body } = await offerOf(profile, { from: dayIn(1), until: dayIn(20) })
    expect(status).toBe(200)
    expect([...warningsAbout(body, 'claims.from'), ...warningsAbout(body, 'claims.until')]).toEqual([])
    expect(await offerOf(profile, { from: dayIn(2), until: dayIn(2) })).toMatchObject({ status: 200 })
  },
)

test.each(['mobile', 'sd-jwt'])(
  'an end after the signer is no warning of the profile %s, but an end after the IACA is',
  async (profile) => {
    const warningsFor = async (until: string) => {
      const { status, body } = await offerOf(profile, { until })
      expect(status).toBe(200)
      return warningsAbout(body, 'claims.until')
    }
    expect(await warningsFor(dayIn(3_000))).toEqual([])
    const message = expect.stringMatching(/is after the end of the IACA\..* Activate an IACA that ends later\.$/)
    expect(await warningsFor(dayIn(8_000))).toEqual([{ claim: 'claims.until', message }])
  },
)

test('a begin after the end by the lifetime is a warning', async () => {
  const { body } = await offerOf('sd-jwt', { from: dayIn(60) })
  expect(warningsAbout(body, 'claims.from')).toHaveLength(1)
})

test('a stored end that is over is a warning, because it can change before the credential is collected', async () => {
  const { body: user } = await service.operator.post('/v1/users', { claims: { until: '2020-01-01' } })
  const { status, body } = await offerOf('sd-jwt', {}, { userId: user.id })
  expect({ status, warnings: warningsAbout(body, 'claims.until').length }).toEqual({ status: 200, warnings: 1 })
})

test.each([
  ['another country', { issuing_country: 'AU', issuing_jurisdiction: 'AU-NSW' }, 'issuing_country', 'NZ'],
  ['another jurisdiction', { issuing_jurisdiction: 'NZ-AUK' }, 'issuing_jurisdiction', 'NZ-WGN'],
])('%s than that of the IACA is refused', async (_what, changes, element, must) => {
  const { status, body } = await offerOf('mobile', changes)
  expect({ status, details: body.details }).toEqual({
    status: 400,
    details: [
      expect.objectContaining({
        param: 'claims',
        msg: expect.stringContaining(`The claim ${mdlNamespace} ${element} must be ${must}`),
      }),
    ],
  })
})

test('only the country of the newest active IACA that can sign is allowed, and without one all countries are', async () => {
  const tenant = await service.addTenant()
  const credentials = [await mdlConfiguration(tenant)]
  const statusOf = async (issuing_country: string) => {
    const body = { credentials, claims: { ...mdlClaims, issuing_country } }
    const { status } = await tenant.operator.post('/v1/openid/offers/pre-authorized', body)
    return status
  }
  const statuses = async () => ({ AU: await statusOf('AU'), NZ: await statusOf('NZ') })
  expect(await statuses()).toEqual({ AU: 200, NZ: 200 })
  await activeIaca(tenant)
  expect(await statuses()).toEqual({ AU: 400, NZ: 200 })
  const authority = await newOpensslAuthority({ subject: '/C=AU/CN=External IACA' })
  const { body: external } = await tenant.operator.post(iacas, { certificatePem: authority.pem })
  await tenant.operator.put(`${iacas}/${external.id}`, { active: true })
  expect(await statuses()).toEqual({ AU: 400, NZ: 200 })
  await activeIaca(tenant, { country: 'AU' })
  expect(await statuses()).toEqual({ AU: 200, NZ: 400 })
})
