import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'
import { startProvider, type TestProvider } from '../../servers/provider.ts'

let service: SharedService
let provider: TestProvider
let configurationId: string
beforeAll(async () => {
  service = await joinService()
  provider = await startProvider(service)
  configurationId = await compactConfiguration(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const upload = ({ operator }: Pick<TestTenant, 'operator'>, id: string, fields: Record<string, string>) =>
  uploadTo(
    operator,
    '/v1/bulk-issuances',
    ['file', csvFile('number,given_name\n1,Ada\n')],
    ...bulkFields(id, { mode: 'links', ...fields }),
  )

test.each<[what: string, fields: Record<string, string>, param: string]>([
  ['the mode sign', { mode: 'sign', signIn: 'true' }, 'signIn'],
  ['a transaction code', { signIn: 'true', transactionCode: 'true' }, 'signIn'],
  ['a path that is none', { signIn: '{"claim":"email","rowClaim":"email"}' }, 'signIn.rowClaim'],
  ['no claim', { signIn: '{"rowClaim":"claims.email"}' }, 'signIn.claim'],
  ['a claim that is never verified', { signIn: '{"claim":"sub","acceptUnverified":true}' }, 'signIn.acceptUnverified'],
])('a bulk issuance with a sign-in is refused with %s', async (_what, fields, param) => {
  const { status, body } = await upload(service, configurationId, fields)
  expect([status, body.details?.[0]?.param]).toEqual([400, param])
})

test('a bulk issuance with a sign-in is refused without an authentication provider', async () => {
  const tenant = await service.addTenant()
  const own = await compactConfiguration(tenant)
  const sent = await upload(tenant, own, { signIn: 'true' })
  expect(sent).toMatchObject({ status: 400, body: { details: [{ param: 'signIn' }] } })
})
