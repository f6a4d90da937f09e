import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIaca } from '../../certificates/hierarchy.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
  await newIaca(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const configurations = '/v2/credentials/sd-jwt/configurations'
const svgTemplates = [{ url: 'https://types.example/card.svg' }]

function create(claimMappings: object, typeMetadata: object = { rendering: { svgTemplates } }) {
  const body = { name: 'Student card', description: 'For students', claimMappings, typeMetadata }
  return service.operator.post(configurations, body)
}

/** Returns the `svg_id` of each claim of the published type metadata, by the path of the claim. */
async function publishedIds(configuration: { typeMetadataUrl: string }) {
  const { body } = await service.anonymous.get(new URL(configuration.typeMetadataUrl).pathname)
  const claims: { path: string[]; svg_id?: string }[] = body.claims
  return Object.fromEntries(claims.map(({ path, svg_id }) => [path.join('.'), svg_id]))
}

const mapped = (name: string, more: object = {}) => ({ mapFrom: `claims.${name}`, ...more })

test('a claim has the id of its configuration in SVG templates, and other claims avoid it', async () => {
  const address = { members: { locality: mapped('address.locality', { svgId: 'given_name' }) } }
  const { status, body } = await create({ given_name: mapped('given_name'), address })
  expect(status).toBe(201)
  const ids = { given_name: 'given_name_2', address: undefined, 'address.locality': 'given_name' }
  expect(await publishedIds(body)).toEqual(ids)
  const { body: shown } = await service.operator.get(`${configurations}/${body.id}`)
  expect(shown.claimMappings.address.members.locality.svgId).toBe('given_name')
})

test('an id is published without templates too, for types that extend this type', async () => {
  const { body } = await create({ given_name: mapped('given_name', { svgId: 'name' }), level: mapped('level') }, {})
  expect(await publishedIds(body)).toEqual({ given_name: 'name', level: undefined })
})

test.each(['given-name', '1st', 'name of', 'größe', ''])('the id %j is refused', async (svgId) => {
  const details = [{ param: 'claimMappings.given_name.svgId' }]
  expect(await create({ given_name: mapped('given_name', { svgId }) })).toMatchObject({
    status: 400,
    body: { details },
  })
})

test('two claims with one id are refused', async () => {
  const svgId = 'name'
  const claimMappings = { given_name: mapped('given_name', { svgId }), family_name: mapped('family_name', { svgId }) }
  const details = [{ param: 'claimMappings.family_name.svgId' }]
  expect(await create(claimMappings)).toMatchObject({ status: 400, body: { details } })
})
