import { afterAll, expect, test } from 'vitest'
import { mappingsFrom, mdlClaims, mdlConfiguration, mdlNamespace, mdlType } from '../../harness/factories.ts'
import { joinService } from '../../harness/harness.ts'

const service = await joinService()
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v2/credentials/mobile/configurations'
/** Values that are allowed, some of them at the edge. */
const claims = {
  ...mdlClaims,
  ...{ sex: 9, eye_colour: 'dichromatic', hair_colour: 'bald', nationality: 'FR', issuing_jurisdiction: 'NZ-WGN' },
  ...{ given_name: '\u{1F600}'.repeat(150), birth_date: '2026-01-01', expiry_date: '2026-01-01T00:00:00Z' },
  // Other bytes than those of a JPEG are allowed if they are no format that is known.
  portrait: '/9j/4AAQSkZJRgABAQAAAQABAAD=',
}
const claimMappings = { [mdlNamespace]: mappingsFrom(claims) }
const credentials = [await mdlConfiguration(service, { claimMappings })]

const offer = (wrong: object) =>
  service.operator.post('/v1/openid/offers/pre-authorized', { credentials, claims: { ...claims, ...wrong } })

test('a driving licence with the values of its standard is offered', async () => {
  expect(await offer({})).toMatchObject({ status: 200 })
  expect(await offer({ portrait: mdlClaims.portrait, sex: '1' })).toMatchObject({ status: 200 })
})

test.each([
  ['a portrait that is a PNG', { portrait: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB' }],
  ['a portrait that is a PNG in a data URL', { portrait: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA' }],
  ['a portrait that is a WebP', { portrait: 'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoB' }],
  ['a portrait that is a PDF', { portrait: 'JVBERi0xLjcKJcOkw7zDtsOfCg==' }],
  ['a name of 151 characters', { given_name: 'x'.repeat(151) }],
  ['a country of three letters', { issuing_country: 'NZL' }],
  ['a nationality in lower case', { nationality: 'fr' }],
  ['a sex that ISO/IEC 5218 does not have', { sex: 3 }],
  ['an eye colour that the standard does not have', { eye_colour: 'turquoise' }],
  ['a hair colour that the standard does not have', { hair_colour: 'green' }],
  ['a jurisdiction of another country', { issuing_jurisdiction: 'AU-NSW' }],
  ['an expiry before the issue', { expiry_date: '2025-12-31' }],
  ['an issue before the birth', { issue_date: '2025-12-31T23:00:00Z' }],
  [
    'a privilege that ends before it begins',
    { driving_privileges: [{ vehicle_category_code: 'B', issue_date: '2020-01-01', expiry_date: '2019-01-01' }] },
  ],
])('%s is refused by name, when the offer is made', async (_what, wrong) => {
  const { status, body } = await offer(wrong)
  const [name = '', value] = Object.entries(wrong)[0] ?? []
  expect({ status, details: body.details }).toEqual({
    status: 400,
    details: [
      expect.objectContaining({ param: 'claims', msg: expect.stringContaining(`${mdlNamespace} ${name} must be `) }),
    ],
  })
  if (typeof value === 'string') expect(body.details[0].msg).not.toContain(value)
})

test('a wrong default value is refused when the configuration is saved', async () => {
  const withDefault = (defaultValue: string) => ({
    type: mdlType,
    claimMappings: { [mdlNamespace]: { ...mappingsFrom(claims), eye_colour: { defaultValue } } },
  })
  expect(await service.operator.post(path, withDefault('blue'))).toMatchObject({ status: 201 })
  expect(await service.operator.post(path, withDefault('turquoise'))).toMatchObject({
    status: 400,
    body: { details: [{ param: `claimMappings.${mdlNamespace}.eye_colour.defaultValue` }] },
  })
})

test.each([
  [mdlType, mdlNamespace],
  ['org.iso.23220.photoid.1', 'org.iso.23220.1'],
])('%s has no element age_over_100. It can be in a namespace of the issuer', async (type, namespace) => {
  const create = (extra: object) =>
    service.operator.post(path, { type, claimMappings: { [namespace]: mappingsFrom(mdlClaims), ...extra } })
  const withElement = (name: string) => ({
    [namespace]: { ...mappingsFrom(mdlClaims), [name]: { defaultValue: 'true' } },
  })
  const param = `claimMappings.${namespace}.age_over_100`
  expect(await create(withElement('age_over_100'))).toMatchObject({ status: 400, body: { details: [{ param }] } })
  expect(await create(withElement('age_over_99'))).toMatchObject({ status: 201 })
  expect(await create({ 'org.example.own': { age_over_100: { defaultValue: 'true' } } })).toMatchObject({ status: 201 })
})
