import { afterAll, beforeAll, expect, test } from 'vitest'
import { activeIaca, mappingsFrom, mdlClaims, mdlConfiguration, mdlNamespace } from '../../harness/factories.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'

const jpegStart = '/9j/4AAQSkZJRgABAQAAAQABAAD='
const dayOf = (years: number) => {
  const at = new Date()
  at.setUTCFullYear(at.getUTCFullYear() + years)
  return at.toISOString().slice(0, 10)
}
const claims = {
  ...{ ...mdlClaims, portrait: jpegStart, issue_date: dayOf(-1), expiry_date: dayOf(5), age_over_18: true },
  ...{ nationality: 'FR', age_in_years: undefined, weight: 70, resident_city: 'Zürich' },
}

let service: SharedService
let credentials: string[]
beforeAll(async () => {
  service = await joinService()
  await activeIaca(service)
  const claimMappings = { [mdlNamespace]: mappingsFrom(claims) }
  credentials = [await mdlConfiguration(service, { claimMappings })]
})
afterAll(() => service?.[Symbol.asyncDispose]())

async function warningsOf(changes: object) {
  const body = { credentials, claims: { ...claims, ...changes } }
  const { status, body: offer } = await service.operator.post('/v1/openid/offers/pre-authorized', body)
  expect(offer).not.toHaveProperty('details')
  expect(status).toBe(200)
  return offer.warnings
}

test('a driving licence with usual values is offered without a warning', async () => {
  expect(await warningsOf({})).toBeUndefined()
  const jpeg2000 = Buffer.from('0000000c6a5020200d0a870a00000014', 'hex').toString('base64url')
  expect(await warningsOf({ portrait: jpeg2000 })).toBeUndefined()
  expect(await warningsOf({ portrait: `data:image/jpeg;base64,${jpegStart}` })).toBeUndefined()
  const codes = [{ code: '01' }, { code: '78', sign: '=', value: 'x' }]
  const categories = ['AM', 'A1', 'A2', 'A', 'B1', 'B', 'BE', 'C1', 'C1E', 'C', 'CE', 'D1', 'D1E', 'D', 'DE']
  const privileges = categories.map((vehicle_category_code) => ({ vehicle_category_code, codes }))
  expect(await warningsOf({ driving_privileges: privileges })).toBeUndefined()
})

test.each([
  ['a portrait of an unknown format', { portrait: mdlClaims.portrait }],
  ['a name in letters that the standard does not have', { family_name: 'Лавлейс' }],
  ['a name of spaces', { given_name: '  ' }],
  ['a birth 150 years ago', { birth_date: dayOf(-150) }],
  ['an issue in the future', { issue_date: dayOf(1) }],
  ['a licence that has expired', { expiry_date: dayOf(-1) }],
  ['a country code for private use', { nationality: 'XK' }],
  ['a distinguishing sign of four letters', { un_distinguishing_sign: 'NEWZ' }],
  ['a height in metres', { height: 2 }],
  ['an unknown vehicle category', { driving_privileges: [{ vehicle_category_code: 'Z9' }] }],
  [
    'a code with an unknown sign',
    { driving_privileges: [{ vehicle_category_code: 'B', codes: [{ code: '78', sign: 'is' }] }] },
  ],
])('%s is offered with a warning that names the element and not the value', async (_what, changes) => {
  const [[name = '', value]] = Object.entries(changes) as [[string, unknown]]
  const warnings = await warningsOf(changes)
  expect(warnings).toEqual([{ claim: `${mdlNamespace} ${name}`, message: expect.stringContaining('is usually ') }])
  if (typeof value === 'string' && value.trim() !== '') expect(warnings[0].message).not.toContain(value)
})

test('an age that contradicts the birth is a warning', async () => {
  const claim = `${mdlNamespace} age_over_18`
  const contradicting = [{ claim, message: expect.stringContaining('contradicts birth_date') }]
  expect(await warningsOf({ birth_date: dayOf(-10) })).toEqual(contradicting)
  expect(await warningsOf({ birth_date: dayOf(-40), age_over_18: 'false' })).toEqual(contradicting)
  expect(await warningsOf({ birth_date: dayOf(-18) })).toBeUndefined()
})

test('a stored claim that is no value of its element has no warning, and does not break the offer', async () => {
  const malformed = { toString: 1, valueOf: 1 }
  const names = [
    ...['family_name', 'portrait', 'birth_date', 'expiry_date', 'un_distinguishing_sign'],
    ...['weight', 'driving_privileges', 'age_over_18'],
  ]
  const stored = Object.fromEntries(names.map((name) => [name, malformed]))
  const privileges = [{ vehicle_category_code: malformed, codes: [{ code: malformed, sign: malformed }] }]
  for (const userClaims of [stored, { ...stored, driving_privileges: privileges, birth_date: dayOf(-10) }]) {
    const { body: user } = await service.operator.post('/v1/users', { claims: userClaims })
    const others = Object.fromEntries(Object.entries(claims).filter(([name]) => !Object.hasOwn(stored, name)))
    const { status, body } = await service.operator.post('/v1/openid/offers/pre-authorized', {
      ...{ credentials, userId: user.id, claims: { ...others, nationality: 'XK' } },
    })
    expect({ status, warnings: body.warnings }).toMatchObject({
      status: 200,
      warnings: [{ claim: `${mdlNamespace} nationality` }],
    })
  }
})

test('codes of three letters for private use are a warning in a photo ID', async () => {
  const namespace = 'org.iso.23220.1'
  const photoClaims = {
    ...{ family_name: 'Lovelace', given_name: 'Ada', birth_date: '1990-12-10', portrait: jpegStart },
    ...{ issue_date: dayOf(-1), expiry_date: dayOf(5), issuing_authority: 'Passport Office', issuing_country: 'NZ' },
    ...{ age_over_18: true, nationality: 'UTO' },
  }
  const claimMappings = { [namespace]: mappingsFrom(photoClaims) }
  const photoId = await mdlConfiguration(service, { type: 'org.iso.23220.photoid.1', claimMappings })
  const offer = (changes: object) =>
    service.operator.post('/v1/openid/offers/pre-authorized', {
      credentials: [photoId],
      claims: { ...photoClaims, ...changes },
    })
  expect((await offer({})).body.warnings).toMatchObject([{ claim: `${namespace} nationality` }])
  expect((await offer({ nationality: 'NZL' })).body).not.toHaveProperty('warnings')
})
