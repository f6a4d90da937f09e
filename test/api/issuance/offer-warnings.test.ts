import { afterAll, beforeAll, expect, test } from 'vitest'
import { activeIaca, compactConfiguration, mdlConfiguration, sdJwtConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'

let service: SharedService
let strictId: string
beforeAll(async () => {
  service = await joinService()
  const claimMappings = {
    family_name: { mapFrom: 'claims.family_name', required: true },
    country: { mapFrom: 'claims.country', required: true, defaultValue: 'CH' },
    nick_name: { mapFrom: 'claims.nick_name' },
  }
  strictId = await compactConfiguration(service, { type: 'Strict', claimMappings })
})
afterAll(() => service?.[Symbol.asyncDispose]())

async function warningsOf(body: object) {
  const { status, body: offer } = await service.operator.post('/v1/openid/offers/pre-authorized', body)
  expect(status).toBe(200)
  return offer.warnings
}

test('an offer without a required claim is made with a warning', async () => {
  const message = expect.stringContaining(strictId)
  expect(await warningsOf({ credentials: [strictId] })).toEqual([{ claim: 'family_name', message }])
  expect(await warningsOf({ credentials: [strictId], claims: { nick_name: 'Ada' } })).toHaveLength(1)
  expect(await warningsOf({ credentials: [strictId], claims: { family_name: 'Lovelace' } })).toBeUndefined()
})

test('the stored claims of a user are a source, also those that the offer stores', async () => {
  const { body: user } = await service.operator.post('/v1/users', { claims: { family_name: 'Lovelace' } })
  expect(await warningsOf({ credentials: [strictId], userId: user.id })).toBeUndefined()
  const { body: other } = await service.operator.post('/v1/users', { claims: {} })
  expect(await warningsOf({ credentials: [strictId], userId: other.id })).toHaveLength(1)
  const claims = { family_name: 'Lovelace' }
  expect(
    await warningsOf({ credentials: [strictId], userId: other.id, claims, claimsToPersist: ['family_name'] }),
  ).toBeUndefined()
  expect(await warningsOf({ credentials: [strictId], userId: other.id })).toBeUndefined()
})

test('a configuration with a claim source has no warnings', async () => {
  const authorization = { type: 'api-key', value: 'kept-secret-between-us' }
  const source = { name: 'Register', url: 'https://register.example.org/claims', authorization }
  const { body } = await service.operator.post('/v1/claim-sources', source)
  const claimMappings = { grade: { mapFrom: 'claims.grade', required: true } }
  const sourced = await compactConfiguration(service, { type: 'Sourced', claimSourceId: body.id, claimMappings })
  expect(await warningsOf({ credentials: [sourced] })).toBeUndefined()
  expect(await warningsOf({ credentials: [sourced, strictId] })).toHaveLength(1)
})

test('each configuration warns of its own claims, in the notation of its profile', async () => {
  const name = { members: { family: { mapFrom: 'claims.family_name', required: true } } }
  const sdJwt = await sdJwtConfiguration(service, { claimMappings: { name } })
  await activeIaca(service)
  const mdl = await mdlConfiguration(service)
  const warnings = await warningsOf({ credentials: [sdJwt, mdl] })
  const claims = warnings.map(({ claim }: { claim: string }) => claim)
  expect(claims).toContain('name')
  expect(claims).toContain('org.iso.18013.5.1 family_name')
  expect(claims.length).toBeLessThanOrEqual(20)
})

test.each([
  ['mobile', mdlConfiguration],
  ['sd-jwt', sdJwtConfiguration],
])(
  'an offer of the profile %s is made with a warning until the tenant has an active root',
  async (_profile, create) => {
    const tenant = await service.addTenant()
    const configurationId = await create(tenant)
    const warningsFor = async (path: string) => {
      const { status, body } = await tenant.operator.post(path, { credentials: [configurationId] })
      expect(status).toBe(200)
      return (body.warnings ?? []).filter(({ code }: { code?: string }) => code === 'no_signer')
    }
    const paths = ['/v1/openid/offers', '/v1/openid/offers/pre-authorized']
    const message = expect.stringMatching(
      new RegExp(
        `^No certificate can sign credentials of the configuration ${configurationId}\\. There is no active IACA`,
      ),
    )
    for (const path of paths) expect(await warningsFor(path)).toEqual([{ code: 'no_signer', message }])
    await activeIaca(tenant)
    for (const path of paths) expect(await warningsFor(path)).toEqual([])
  },
)
