import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  activeIaca,
  mappingsFrom,
  mdlClaims,
  mdlConfiguration,
  mdlNamespace,
  sdJwtConfiguration,
} from '../../harness/factories.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'
import { newBulkTenant } from '../../harness/validated-bulks.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const claims = { ...mdlClaims, portrait: '/9j/4AAQSkZJRgABAQAAAQABAAD=', nationality: 'NZ' }
const licences = async (tenant: Parameters<typeof mdlConfiguration>[0]) => {
  await activeIaca(tenant)
  return mdlConfiguration(tenant, { claimMappings: { [mdlNamespace]: mappingsFrom(claims) } })
}
const linesOf = (...rows: object[]) =>
  rows.map((row, at) => JSON.stringify({ number: `${at + 1}`, ...claims, ...row })).join('\n')

test('doubtful values of valid rows are counted once for each column, with the first row', async () => {
  const { validated, tenant } = await newBulkTenant(service, licences)
  const file = linesOf(
    {},
    { nationality: 'XK' },
    { nationality: 'XK', issuing_country: 'NZL' },
    { nationality: 'XZ', height: 2 },
  )
  const bulk = await validated(file, { mode: 'links' }, 'people.jsonl')
  expect(bulk).toMatchObject({ valid: 3, invalid: 1 })
  expect(bulk.warnings).toEqual([
    { column: 'nationality', message: expect.stringContaining('is usually'), rows: 2, firstRow: 2 },
    { column: 'height', message: expect.stringContaining('is usually'), rows: 1, firstRow: 4 },
  ])
  const listed = (await tenant.operator.get('/v1/bulk-issuances')).body.data
  expect(listed[0]).not.toHaveProperty('warnings')
})

test('a file without doubtful values has no warnings', async () => {
  const { validated } = await newBulkTenant(service, licences)
  const bulk = await validated(linesOf({}), { mode: 'links' }, 'people.jsonl')
  expect(bulk).toMatchObject({ valid: 1 })
  expect(bulk).not.toHaveProperty('warnings')
})

test('a row with the country of no active IACA is wrong, in the column of the country', async () => {
  const { validated, rowsOf } = await newBulkTenant(service, licences)
  const bulk = await validated(linesOf({ issuing_country: 'AU' }), { mode: 'links' }, 'people.jsonl')
  expect(await rowsOf(bulk)).toMatchObject([{ state: 'invalid', code: 'invalid_claim', column: 'issuing_country' }])
})

test.each([
  ['an end that is over', { until: '2020-01-01' }, 'until'],
  ['an end that is no date', { until: 'soon' }, 'until'],
  ['a begin after the end', { from: '2097-03-01', until: '2097-02-01' }, 'from'],
])('a row with %s is wrong, in the column of the time', async (_what, times, column) => {
  const { validated, rowsOf } = await newBulkTenant(service, (tenant) =>
    sdJwtConfiguration(tenant, {
      ...{ keyBinding: false, claimMappings: { given_name: { mapFrom: 'claims.given_name' } } },
      ...{ validFrom: { mapFrom: 'claims.from' }, validUntil: { mapFrom: 'claims.until' } },
    }),
  )
  const row = JSON.stringify({ number: '1', given_name: 'Ada', ...times })
  const bulk = await validated(row, { mode: 'sign' }, 'people.jsonl')
  const [only] = await rowsOf(bulk)
  expect(only).toMatchObject({ state: 'invalid', code: 'invalid_claim', column })
  expect(only.message).toContain(`The claim claims.${column} `)
})
