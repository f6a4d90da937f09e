import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bulkRows } from '../../../db/tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../../../db/tables/issuance/claim-links.ts'
import { issuePortion } from '../../../workers/signing/bulk/issue-bulk.ts'
import { newLinksTenant } from '../../harness/bulk-links.ts'
import { compactConfiguration, mdlConfiguration, semanticConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { signingDeps } from '../../harness/published.ts'
import { csvFile } from '../../harness/uploads.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const newTenant = (configure?: Parameters<typeof newLinksTenant>[1]) => newLinksTenant(service, configure)

const storedLinks = (tenantId: string) =>
  service.deps.db.read.select().from(claimLinks).where(eq(claimLinks.tenantId, tenantId))
const storedRows = (tenantId: string) =>
  service.deps.db.read.select().from(bulkRows).where(eq(bulkRows.tenantId, tenantId))

test('each valid row becomes one link, with which a wallet collects the credential once', async () => {
  const { tenant, configurationId, upload, inState, rows, links, press } = await newTenant()
  const id = await upload(['1,Ada', '2,', '3,Bob'])
  const bulk = await inState(id, 'done')
  expect(bulk).toMatchObject({ mode: 'links', configurationIds: [configurationId], expiresIn: { days: 30, hours: 0 } })
  expect(bulk).toMatchObject({ total: 3, valid: 2, invalid: 1, done: 2, failed: 0, endedAt: expect.any(String) })
  const open = { open: 2, opened: 0, collected: 0, expired: 0, revoked: 0 }
  expect(bulk.links).toEqual(open)
  const expiresAt = expect.stringMatching(/Z$/)
  expect(await rows(id)).toMatchObject([
    { row: 1, state: 'open', externalId: '1', expiresAt },
    { row: 2, state: 'invalid', externalId: '2', code: 'missing_claim' },
    { row: 3, state: 'open', externalId: '3', expiresAt },
  ])
  const stored = await storedRows(tenant.id)
  expect(stored.every(({ sealedClaims }) => sealedClaims === null)).toBe(true)
  expect(JSON.stringify(await storedLinks(tenant.id))).not.toContain('Ada')

  const allLinks = await links(id)
  expect(allLinks).toMatchObject([{ row: 1, externalId: '1' }, { row: 3 }])
  const uri = await press(allLinks[1]?.link ?? '')
  expect(await rows(id, '?state=opened')).toMatchObject([{ row: 3, state: 'opened', openedAt: expiresAt }])
  const collected = await (await newWallet(tenant, service.origin, uri)).collect()
  expect(collected).toMatchObject({ status: 200 })
  const [, , third] = await rows(id)
  expect(third).toMatchObject({ row: 3, state: 'collected', openedAt: expiresAt, endedAt: expiresAt })
  expect(await rows(id, '?state=collected')).toEqual([third])
  expect(await rows(id, '?state=open')).toMatchObject([{ row: 1 }])
  expect(await rows(id, '?state=done')).toMatchObject([{ row: 1 }, { row: 3, state: 'collected' }])
  await eventually(async () => (await inState(id, 'done')).links.collected === 1)
})

describe('the settings', () => {
  test('several configurations, of profiles with a key of the holder, with a lifetime and a description', async () => {
    const { tenant, configurationId, upload, inState, links } = await newTenant()
    const other = await semanticConfiguration(tenant)
    const settings = { expiresIn: '{"days":2,"hours":25}', transactionCode: '{"description":"In your letter"}' }
    const id = await upload(['1,Ada'], [['configurationIds', other], ...Object.entries(settings)])
    const bulk = await inState(id, 'done')
    expect(bulk.configurationIds).toEqual([configurationId, other])
    expect(bulk).toMatchObject({ expiresIn: { days: 3, hours: 1 }, transactionCode: { description: 'In your letter' } })
    expect(await links(id)).toMatchObject([{ transactionCode: expect.stringMatching(/^\d{6}$/) }])
    const [{ expiresAt, createdAt, configurationIds } = fail()] = await storedLinks(tenant.id)
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(73 * 3_600_000)
    expect(configurationIds).toEqual([configurationId, other])
    const mobile = await newTenant(mdlConfiguration)
    const { status } = await mobile.send(csvFile('number,given_name\n1,Ada\n'))
    expect(status).toBe(202)
  })

  test('a row is checked for each of the configurations', async () => {
    const { tenant, upload, inState, rows } = await newTenant()
    const city = { claimMappings: { city: { mapFrom: 'claims.city', required: true } } }
    const other = await compactConfiguration(tenant, { ...city, type: 'Resident' })
    const more: [string, string][] = [['configurationIds', other]]
    const id = await upload(['1,Ada,Oslo', '2,Bob,', '3,,Rome'], more, 'number,given_name,city')
    expect(await inState(id, 'done')).toMatchObject({ valid: 1, invalid: 2, done: 1 })
    expect(await rows(id, '?state=invalid')).toMatchObject([
      { row: 2, column: 'city', code: 'missing_claim' },
      { row: 3, column: 'given_name', code: 'missing_claim' },
    ])
  })

  const refusals: [name: string, extra: [string, string][], param: string, msg: RegExp][] = [
    ['a short lifetime', [['expiresIn', '{"hours":0}']], 'expiresIn', /between 1 hour and 365 days/],
    ['a long lifetime', [['expiresIn', '{"days":365,"hours":1}']], 'expiresIn', /between 1 hour and 365 days/],
    ['an unknown unit', [['expiresIn', '{"minutes":5}']], 'expiresIn', /Unknown member/],
    ['a lifetime that is no JSON', [['expiresIn', '30 days']], 'expiresIn', /JSON/],
    ['a wrong description', [['transactionCode', '{"description":1}']], 'transactionCode', /./],
    ['a configuration that is no id', [['configurationIds', 'x']], 'configurationIds', /Must be the id/],
    ['an unknown configuration', [['configurationIds', randomUUID()]], 'configurationIds', /Not Found/],
  ]
  test.each(refusals)('%s is refused', async (_name, extra, param, msg) => {
    const { send } = await newTenant()
    const { status, body } = await send(csvFile(), extra)
    const detail = { param: expect.stringContaining(param), msg: expect.stringMatching(msg) }
    expect([status, body.details]).toEqual([400, expect.arrayContaining([expect.objectContaining(detail)])])
  })

  test('that need links are refused for signed credentials', async () => {
    const { tenant, send } = await newTenant()
    const settings = {
      expiresIn: '{"days":1}',
      transactionCode: 'true',
      configurationIds: await semanticConfiguration(tenant),
    }
    for (const [name, value] of Object.entries(settings)) {
      const { status, body } = await send(csvFile(), [[name, value]], { mode: 'sign' })
      expect([status, body.details]).toMatchObject([400, [{ param: name, msg: expect.stringContaining('mode links') }]])
    }
  })
})

test('portions that run twice at once, or after an erasure, give each row one link', async () => {
  const { tenant, operator, upload, inState, post, links } = await newTenant()
  const { id: userId } = (await operator.post('/v1/users', { claims: {} })).body
  const { id: stays } = (await operator.post('/v1/users', { claims: {} })).body
  const lines = Array.from({ length: 50 }, (_, at) => `${at},Ada,${at === 30 ? userId : stays}`)
  const more: [string, string][] = [
    ['validateOnly', 'true'],
    ['userIdColumn', 'user'],
  ]
  const id = await upload(lines, more, 'number,given_name,user')
  await inState(id, 'ready')
  await service.workers.stop()
  await post(id, 'start')
  const deps = signingDeps(service)
  const run = () => issuePortion(deps, { tenantId: tenant.id, bulkId: id, run: 1 }, 10)
  await Promise.all([run(), run(), run()])
  expect(await operator.delete(`/v1/users/${userId}`)).toMatchObject({ status: 204 })
  for (let portions = 0; portions < 10; portions++) await Promise.all([run(), run()])
  await service.workers.start()
  expect(await inState(id, 'done')).toMatchObject({ total: 50, valid: 49, erased: 1, done: 49, failed: 0 })
  const allLinks = await links(id)
  expect(new Set(allLinks.map(({ link }) => link)).size).toBe(49)
  expect(allLinks.some(({ externalId }) => externalId === '30')).toBe(false)
  expect(await operator.delete(`/v1/users/${stays}`)).toMatchObject({ status: 204 })
  expect([await links(id), await storedLinks(tenant.id), await storedRows(tenant.id)]).toEqual([[], [], []])
})

test('a completed bulk issuance gives one event to webhooks, and one analytics event for each portion', async () => {
  const { operator, upload, inState } = await newTenant()
  const webhook = { url: 'https://receiver.example/links', events: ['BulkIssuanceCompleted'] }
  const made = await operator.post('/v1/webhooks', webhook)
  const id = await upload(['1,Ada'])
  await inState(id, 'done')
  const deliveries = await eventually(async () => {
    const { data } = (await operator.get(`/v1/webhooks/${made.body.id}/deliveries`)).body
    return data.length > 0 && data
  })
  expect(deliveries).toMatchObject([{ type: 'BulkIssuanceCompleted' }])
  const [event] = await eventually(async () => {
    const { data } = (await operator.get('/v1/events?types=BULK_ISSUANCE_PORTION_SUCCESS')).body
    return data?.length > 0 && data
  })
  expect(event.data).toMatchObject({ id })
})

function fail(): never {
  throw new Error('there is none')
}
