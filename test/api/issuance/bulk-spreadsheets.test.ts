import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIaca } from '../../certificates/hierarchy.ts'
import { newLinksTenant } from '../../harness/bulk-links.ts'
import {
  activeIaca,
  mappingsFrom,
  mdlClaims,
  mdlConfiguration,
  mdlNamespace,
  sdJwtConfiguration,
} from '../../harness/factories.ts'
import { eventually, joinService, type SharedService } from '../../harness/harness.ts'
import { newBulkTenant } from '../../harness/validated-bulks.ts'
import { elementsOf } from '../../verifiers/mdoc-verifiers.ts'
import { readSdJwt } from '../../verifiers/sd-jwt-verifier.ts'
import { newWallet } from '../../wallets/wallet.ts'

// Files as spreadsheets and people write them, and what their rows become.

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** A tenant with a configuration that shows all its claims. */
const newTenant = () =>
  newBulkTenant(service, (tenant) => {
    const claimMappings = {
      given_name: { mapFrom: 'claims.given_name', required: true },
      adult: { mapFrom: 'claims.adult', type: 'boolean' },
      points: { mapFrom: 'claims.points', type: 'number' },
    }
    return sdJwtConfiguration(tenant, { keyBinding: false, claimMappings, disclose: 'never' })
  })

/** Returns the claims of the configuration that a credential has. */
function claimsOf(credential: string) {
  const { given_name, adult, points } = readSdJwt(credential).payload
  return JSON.parse(JSON.stringify({ given_name, adult, points }))
}

test.each<[what: string, file: string, people: object[]]>([
  [
    'TRUE and FALSE are booleans',
    'number,given_name,adult\r\n1,Ada,TRUE\r\n2,Bea,FALSE\r\n',
    [
      { given_name: 'Ada', adult: true },
      { given_name: 'Bea', adult: false },
    ],
  ],
  [
    'columns without a name and without a value are nothing',
    'number,given_name,,\r\n1,Ada,,\r\n2,Bea,,\r\n',
    [{ given_name: 'Ada' }, { given_name: 'Bea' }],
  ],
  ['a first line names the delimiter', 'sep=;\r\nnumber;given_name\r\n1;Ada\r\n', [{ given_name: 'Ada' }]],
  [
    'spaces around a cell without quotes are removed',
    'number,given_name,adult\n 1 , Ada , true \n',
    [{ given_name: 'Ada', adult: true }],
  ],
  ['a number has a decimal point', 'number;given_name;points\r\n1;Ada;1.5\r\n', [{ given_name: 'Ada', points: 1.5 }]],
])('%s', async (_what, file, people) => {
  const { tenant, operator, validated } = await newTenant()
  await newIaca(tenant)
  const bulk = await validated(file)
  expect(bulk).toMatchObject({ state: 'ready', valid: people.length, invalid: 0 })
  const path = `/v1/bulk-issuances/${bulk.id}`
  expect(await operator.post(`${path}/start`)).toMatchObject({ status: 200 })
  await eventually(async () => (await operator.get(path)).body.state === 'done')
  const { body } = await operator.get(`${path}/results`, { accept: 'text/csv' })
  const results: string[][] = body
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line: string) => line.split(','))
  expect(results.map(([, externalId]) => externalId)).toEqual(people.map((_, at) => `${at + 1}`))
  expect(results.map(([, , , credential = '']) => claimsOf(credential))).toEqual(people)
})

test.each<[what: string, file: string, columns: object]>([
  [
    'a column that no claim uses',
    'number,given_name,email\n1,Ada,a@b.example\n',
    { used: ['number', 'given_name'], unused: ['email'], missing: ['claims.adult', 'claims.points'] },
  ],
  [
    'all columns in use',
    'number,given_name,adult,points,\n1,Ada,true,2,\n',
    { used: ['number', 'given_name', 'adult', 'points'], unused: [], missing: [] },
  ],
])('the answer names %s, and the claims without a column', async (_what, file, columns) => {
  const { operator, validated } = await newTenant()
  const bulk = await validated(file)
  expect(bulk).toMatchObject({ state: 'ready', valid: 1, columns })
  const [listed] = (await operator.get('/v1/bulk-issuances')).body.data
  expect(listed).not.toHaveProperty('columns')
})

test('the answer names the columns of all rows of JSON Lines', async () => {
  const { validated } = await newTenant()
  const people = Array.from({ length: 600 }, (_, at) => ({
    number: at,
    given_name: 'Ada',
    [at < 550 ? 'a' : 'adult']: true,
  }))
  const bulk = await validated(people.map((person) => JSON.stringify(person)).join('\n'), {}, 'people.jsonl')
  expect(bulk).toMatchObject({ total: 600, valid: 600 })
  const used = ['number', 'given_name', 'adult']
  expect(bulk.columns).toEqual({ used, unused: ['a'], missing: ['claims.points'] })
})

test('a missing required column is one error of the file, which names the columns', async () => {
  const { validated } = await newTenant()
  const bulk = await validated('number,givenname\n1,Ada\n2,Bea\n')
  expect(bulk).toMatchObject({ state: 'failed', total: 0, invalid: 0 })
  expect(bulk.failure).toEqual({
    code: 'missing_column',
    message:
      'The file has no column for claims.given_name, required by the configuration. Its columns are number, givenname.',
  })
})

test('a decimal comma is refused by its name', async () => {
  const { validated, rowsOf } = await newTenant()
  const bulk = await validated('number;given_name;points\r\n1;Ada;1,5\r\n')
  const message = 'The claim points must be a number with a decimal point, such as 1.5. It has a comma.'
  expect(await rowsOf(bulk)).toEqual([
    { row: 1, state: 'invalid', externalId: '1', column: 'points', code: 'invalid_claim', message },
  ])
})

test('TRUE and FALSE are booleans in a mobile document', async () => {
  const claims = { ...mdlClaims, age_over_18: '', age_over_65: '' }
  const configure: typeof mdlConfiguration = async (tenant) => {
    await activeIaca(tenant)
    return mdlConfiguration(tenant, { claimMappings: { [mdlNamespace]: mappingsFrom(claims) } })
  }
  const { tenant, send, inState, links, press } = await newLinksTenant(service, configure)
  const row = { number: '1', ...claims, age_over_18: 'TRUE', age_over_65: 'FALSE' }
  const { body } = await send(new File([JSON.stringify(row)], 'people.jsonl'))
  await inState(body.id, 'done')
  const [{ link } = { link: '' }] = await links(body.id)
  const wallet = await newWallet(tenant, service.origin, await press(link))
  const collected = await wallet.collect()
  expect(collected).toMatchObject({ status: 200 })
  const elements = elementsOf(collected.body.credentials[0].credential)[mdlNamespace]
  expect(elements).toMatchObject({ age_over_18: true, age_over_65: false })
})
