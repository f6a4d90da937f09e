import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  compactConfiguration,
  mappingsFrom,
  mdlClaims,
  mdlConfiguration,
  mdlNamespace,
  sdJwtConfiguration,
  semanticConfiguration,
  webConfiguration,
} from '../../harness/factories.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'
import { newBulkTenant } from '../../harness/validated-bulks.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

type Configure = typeof compactConfiguration
type Row = Record<string, unknown>

/** Returns the rows of a file of JSON Lines with one row. */
async function rowOf(row: Row, configure: Configure, mode = 'sign') {
  const { validated, rowsOf } = await newBulkTenant(service, configure)
  const bulk = await validated(JSON.stringify({ number: '1', ...row }), { mode }, 'people.jsonl')
  const [only] = await rowsOf(bulk)
  return only
}

const from = (name: string, extra: Row = {}) => ({ mapFrom: `claims.${name}`, ...extra })

describe('a row names all its wrong claims, and the column of the first one:', () => {
  test('an SD-JWT VC', async () => {
    const claimMappings = {
      given_name: from('given_name', { required: true }),
      points: from('points', { type: 'number' }),
      adult: from('adult', { type: 'boolean' }),
    }
    const row = await rowOf({ given_name: '', points: 'many', adult: 'yes' }, (tenant) =>
      sdJwtConfiguration(tenant, { keyBinding: false, claimMappings }),
    )
    expect(row).toMatchObject({ state: 'invalid', code: 'missing_claim', column: 'given_name' })
    for (const name of ['given_name', 'points', 'adult']) expect(row.message).toContain(`The claim ${name} must `)
  })

  test.each<[string, Configure]>([
    ['compact', compactConfiguration],
    ['compact semantic', semanticConfiguration],
  ])('a %s credential without two required claims', async (_profile, configure) => {
    const claimMappings = { first: from('a', { required: true }), second: from('b', { required: true }) }
    const row = await rowOf({}, (tenant) => configure(tenant, { claimMappings }))
    const message = 'There is no value for the claim first. There is no value for the claim second.'
    expect(row).toMatchObject({ code: 'missing_claim', message })
  })

  test('a web semantic credential, with the reason of each', async () => {
    const claimMappings = { list: from('tags'), odd: from('odd'), object: from('object') }
    const row = await rowOf({ tags: [], odd: { 'full name': 'Ada' }, object: { none: null } }, (tenant) =>
      webConfiguration(tenant, { claimMappings }),
    )
    expect(row).toEqual({
      ...{ row: 1, state: 'invalid', externalId: '1', code: 'invalid_claim', column: 'tags' },
      message: [
        'The claim list must not be an empty list in JSON-LD.',
        'The claim odd.full name must have a name without " " in JSON-LD.',
        'The claim object.none must not be null in JSON-LD.',
      ].join(' '),
    })
  })

  test('a mobile document', async () => {
    const wrong = { height: 'tall', sex: 7, eye_colour: 'turquoise', expiry_date: '2025-01-01' }
    const claims = { ...mdlClaims, ...wrong, family_name: '' }
    const row = await rowOf(
      claims,
      (tenant) => mdlConfiguration(tenant, { claimMappings: { [mdlNamespace]: mappingsFrom(claims) } }),
      'links',
    )
    expect(row).toMatchObject({ state: 'invalid', code: 'missing_claim', column: 'family_name' })
    expect(row.message).toContain(`There is no value for the claim ${mdlNamespace} family_name. `)
    for (const name of Object.keys(wrong)) expect(row.message).toContain(`The claim ${mdlNamespace} ${name} must be `)
  })

  test('a mobile document of its own type', async () => {
    const claimMappings = {
      own: { day: from('day', { type: 'full-date' }), count: from('count', { type: 'uint' }), adult: from('adult') },
    }
    const row = await rowOf(
      { day: 'soon', count: -1, adult: true },
      (tenant) => mdlConfiguration(tenant, { type: 'org.example.pass', claimMappings }),
      'links',
    )
    expect(row).toMatchObject({ code: 'invalid_claim', column: 'day' })
    expect(row.message).toBe(
      'The claim own day must be a date such as 2001-12-31. The claim own count must be a whole number that is not negative, as text from 2^53 on.',
    )
  })

  test('a claim whose shape does not fit its path, beside another one', async () => {
    const claimMappings = { city: from('address.city', { required: true }), list: from('tags') }
    const row = await rowOf({ address: 'Oslo', tags: [] }, (tenant) => webConfiguration(tenant, { claimMappings }))
    expect(row).toMatchObject({ code: 'invalid_claim', column: 'address' })
    expect(row.message).toBe(
      'The claim address must be an object, because claims.address.city is mapped. The claim list must not be an empty list in JSON-LD.',
    )
  })
})
