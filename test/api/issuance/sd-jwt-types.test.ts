import { hash } from 'node:crypto'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIaca } from '../../certificates/hierarchy.ts'
import { sdJwtConfiguration, sdJwtMappings } from '../../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { issueSdJwt } from '../../harness/issued-sd-jwt.ts'
import { readSdJwt, verifySdJwt } from '../../verifiers/sd-jwt-verifier.ts'

let service: SharedService
let tenant: TestTenant
beforeAll(async () => {
  service = await joinService()
  tenant = await service.addTenant()
  await newIaca(tenant)
})
afterAll(() => service[Symbol.asyncDispose]())

const configurations = '/v2/credentials/sd-jwt/configurations'
const withoutVct = { vct: undefined }

/** The octets as served. */
async function octetsAt(url: string, { host } = tenant) {
  const { statusCode, headers, body } = await request(service.origin + new URL(url).pathname, { headers: { host } })
  return { status: statusCode, headers, octets: Buffer.from(await body.arrayBuffer()) }
}

const get = async (id: string) => (await tenant.operator.get(`${configurations}/${id}`)).body

test('the default type is the URL of public, immutable type metadata, whose hash is in the credential', async () => {
  const typeMetadata = {
    extends: { vct: 'https://types.example/base', integrity: `sha256-${hash('sha256', 'base', 'base64')}` },
    rendering: { svgTemplates: [{ url: 'https://types.example/card.svg', orientation: 'landscape' }] },
  }
  const id = await sdJwtConfiguration(tenant, { ...withoutVct, description: 'For students', typeMetadata })
  const { vct, typeMetadataUrl } = await get(id)
  expect(vct).toBe(`${tenant.baseUrl}/v2/credentials/sd-jwt/types/${id}/1`)
  expect(typeMetadataUrl).toBe(vct)
  const { status, headers, octets } = await octetsAt(vct)
  expect([status, headers]).toMatchObject([
    200,
    {
      'content-type': expect.stringContaining('application/json'),
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
    },
  ])
  expect(JSON.parse(String(octets))).toEqual({
    ...{ vct, name: 'Student card', description: 'For students' },
    extends: typeMetadata.extends.vct,
    'extends#integrity': typeMetadata.extends.integrity,
    display: [
      {
        ...{ locale: 'und', name: 'Student card', description: 'For students' },
        rendering: {
          svg_templates: [{ uri: 'https://types.example/card.svg', properties: { orientation: 'landscape' } }],
        },
      },
    ],
    claims: [
      { path: ['given_name'], mandatory: true, sd: 'always', svg_id: 'given_name' },
      { path: ['level'], mandatory: false, sd: 'never', svg_id: 'level' },
      { path: ['address'], mandatory: false, sd: 'always' },
      { path: ['address', 'locality'], mandatory: false, sd: 'always', svg_id: 'address_locality' },
      { path: ['degrees'], mandatory: true, sd: 'always' },
      { path: ['degrees', null], mandatory: true, sd: 'always' },
      { path: ['degrees', null, 'type'], mandatory: true, sd: 'always' },
    ],
  })
  const plain = await sdJwtConfiguration(tenant, withoutVct)
  const [issued] = await issueSdJwt(service, tenant, plain)
  const { payload } = readSdJwt(issued!.credential)
  const own = await octetsAt(payload.vct)
  expect(payload['vct#integrity']).toBe(`sha256-${hash('sha256', own.octets, 'base64')}`)
  expect(await verifySdJwt(issued!.credential, tenant)).toMatchObject({ given_name: 'Ada' })
})

test('a change of the metadata makes a new version, other changes do not, and old versions stay', async () => {
  const id = await sdJwtConfiguration(tenant, withoutVct)
  const first = await get(id)
  const put = (change: object) => tenant.operator.put(`${configurations}/${id}`, { ...first, ...change })
  const before = await octetsAt(first.vct)
  // The body is the response of an earlier request: its type is no choice of the operator.
  expect((await put({ expiresIn: { years: 2 }, includeStatus: true })).body.vct).toBe(first.vct)
  const second = (await put({ claimMappings: { given_name: sdJwtMappings.given_name } })).body
  expect(second.vct).toBe(first.vct.replace(/1$/, '2'))
  expect(JSON.parse(String((await octetsAt(second.vct)).octets)).claims).toHaveLength(1)
  expect((await octetsAt(first.vct)).octets).toEqual(before.octets)
  const { body: metadata } = await tenant.anonymous.get('/.well-known/openid-credential-issuer')
  expect(metadata.credential_configurations_supported[id].vct).toBe(second.vct)
  expect(await tenant.operator.delete(`${configurations}/${id}`)).toMatchObject({ status: 204 })
  expect((await octetsAt(second.vct)).status).toBe(200)
})

test('concurrent changes make versions without a gap', async () => {
  const id = await sdJwtConfiguration(tenant, withoutVct)
  const body = await get(id)
  const changes = [1, 2, 3, 4].map((each) =>
    tenant.operator.put(`${configurations}/${id}`, { ...body, name: `Card ${each}` }),
  )
  const versions = (await Promise.all(changes)).map((each) => each.body.vct.split('/').at(-1))
  expect(versions.sort()).toEqual(['2', '3', '4', '5'])
})

test('the metadata of another type can be downloaded, and no credential refers to them', async () => {
  const id = await sdJwtConfiguration(tenant)
  const { vct, typeMetadataUrl } = await get(id)
  expect(vct).toBe('urn:example:student-card')
  expect(JSON.parse(String((await octetsAt(typeMetadataUrl)).octets))).toMatchObject({ vct })
  const [issued] = await issueSdJwt(service, tenant, id)
  expect(readSdJwt(issued!.credential).payload).not.toHaveProperty('vct#integrity')
})

test.each(['0', '2', '1x', '01', '9999999999'])('version %s does not exist', async (version) => {
  const id = await sdJwtConfiguration(tenant, withoutVct)
  const { vct } = await get(id)
  expect([400, 404]).toContain((await octetsAt(vct.replace(/1$/, version))).status)
})

test('the metadata are those of the tenant at the host', async () => {
  const other = await service.addTenant()
  const { vct } = await get(await sdJwtConfiguration(tenant, withoutVct))
  expect((await octetsAt(vct, other)).status).toBe(404)
})

test('a type can extend a type of any URI, and several templates need properties', async () => {
  const make = (typeMetadata: object) =>
    tenant.operator.post(configurations, {
      ...{ name: 'Card', claimMappings: { level: { defaultValue: '1' } } },
      typeMetadata,
    })
  for (const vct of ['urn:eudi:pid:1', 'tag:types.example,2026:base'])
    expect(await make({ extends: { vct } })).toMatchObject({
      status: 201,
      body: { typeMetadata: { extends: { vct } } },
    })
  expect(await make({ extends: { vct: 'base' } })).toMatchObject({
    ...{ status: 400, body: { details: [{ param: 'typeMetadata.extends.vct' }] } },
  })
  const [wide, plain] = [
    { url: 'https://types.example/wide.svg', orientation: 'landscape' },
    { url: 'https://types.example/card.svg' },
  ]
  expect(await make({ rendering: { svgTemplates: [plain] } })).toMatchObject({ status: 201 })
  expect(await make({ rendering: { svgTemplates: [wide, plain] } })).toMatchObject({
    ...{ status: 400, body: { details: [{ param: 'typeMetadata.rendering.svgTemplates.1' }] } },
  })
})
