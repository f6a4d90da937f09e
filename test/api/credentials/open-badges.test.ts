import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinService, type SharedService } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const achievement = {
  id: 'urn:uuid:2d5a7c1e-0d6f-4f2e-9d3a-6a1a5f0b7c11',
  type: 'Achievement',
  name: 'Welding',
  description: 'Can weld steel',
  criteria: { narrative: 'Passed the test' },
}
const badge = {
  '@context': ['https://www.w3.org/2018/credentials/v1', 'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json'],
  type: ['VerifiableCredential', 'OpenBadgeCredential'],
  name: 'Welding',
  issuanceDate: '2026-05-01T00:00:00Z',
  credentialSubject: { id: 'did:example:ada', type: 'AchievementSubject', achievement },
}
const more = {
  evidence: [{ id: 'https://school.example/e/1', type: 'Evidence', name: 'Photo', narrative: 'Of the piece' }],
  credentialSchema: [{ id: 'https://school.example/schema.json', type: '1EdTechJsonSchemaValidator2019' }],
  refreshService: { id: 'https://school.example/refresh', type: '1EdTechCredentialRefresh' },
  termsOfUse: [{ type: 'SchoolTerms' }],
}

const uri = { type: 'string', format: 'uri' }
const text = { type: 'string' }
const types = (...required: string[]) => ({
  anyOf: [
    { enum: required },
    { type: 'array', items: text, allOf: required.map((each) => ({ contains: { const: each } })) },
  ],
})
const typed = (required: string[], properties: object = {}) => ({
  type: 'object',
  required,
  properties: { id: uri, type: { anyOf: [text, { type: 'array', items: text, minItems: 1 }] }, ...properties },
})
const oneOrMore = (schema: object) => ({ anyOf: [schema, { type: 'array', items: schema }] })

/**
 * What the public schema ob_v3p0_achievementcredential_schema.json requires, as our own table: the tests run offline.
 */
const schema = {
  type: 'object',
  required: ['@context', 'id', 'type', 'credentialSubject', 'issuer', 'issuanceDate'],
  properties: {
    '@context': { type: 'array', minItems: 2 },
    id: uri,
    type: { type: 'array', contains: { enum: ['OpenBadgeCredential', 'AchievementCredential'] } },
    name: text,
    issuer: {
      anyOf: [uri, typed(['id', 'type'], { name: text, url: uri, email: text, image: typed(['id', 'type']) })],
    },
    issuanceDate: { type: 'string', format: 'date-time' },
    credentialSubject: typed(['type', 'achievement'], {
      type: types('AchievementSubject'),
      achievement: typed(['id', 'type', 'criteria', 'description', 'name'], {
        type: types('Achievement'),
        criteria: { type: 'object', properties: { id: uri, narrative: text } },
      }),
    }),
    evidence: { type: 'array', items: typed(['type'], { type: types('Evidence'), narrative: text, name: text }) },
    credentialSchema: oneOrMore(typed(['id', 'type'])),
    refreshService: typed(['id', 'type']),
    termsOfUse: oneOrMore(typed(['type'])),
    proof: oneOrMore({ type: 'object', required: ['type'] }),
  },
}
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
const faultsOf = ajv.compile(schema)

const sign = (members: object) =>
  service.operator.post('/v2/credentials/web-semantic/sign', { payload: { ...badge, ...members } })

async function verify(credential: object) {
  const answer = await service.operator.post('/v2/credentials/web-semantic/verify', { payload: credential })
  return answer.body
}

test.each([
  ['text', () => service.did],
  [
    'a profile',
    () => ({ id: service.did, type: 'Profile', name: 'School', url: 'https://school.example', email: 'a@b.example' }),
  ],
  [
    'a profile with types and an image',
    () => ({
      ...{ id: service.did, type: ['Profile'], name: 'School' },
      image: { id: 'https://school.example/logo.png', type: 'Image' },
    }),
  ],
])('an Open Badge 3.0 with an issuer as %s is signed, valid by the schema, and verified', async (_, issuerOf) => {
  const issuer = issuerOf()
  const { status, body } = await sign({ issuer, ...more })
  expect([status, body.details]).toEqual([200, undefined])
  expect(body.credential).toMatchObject({ issuer, ...more })
  faultsOf(body.credential)
  expect(faultsOf.errors).toBeNull()
  expect(await verify(body.credential)).toEqual({ verified: true })
  const forged = { ...body.credential, evidence: [{ ...more.evidence[0], narrative: 'Of another piece' }] }
  expect(await verify(forged)).toMatchObject({ verified: false })
})

test.each([
  ['issuer', 'did:example:other'],
  ['issuer.id', { id: 'did:example:other', type: 'Profile' }],
  ['issuer.proof', { type: 'Profile', proof: 'x' }],
  ['evidence.0.type', [{ id: 'https://school.example/e/1' }]],
  ['credentialSchema.0.id', [{ type: 'JsonSchema' }]],
  ['refreshService.id', { id: 'not a URI', type: 'Refresh' }],
  ['termsOfUse.0.duty', [{ type: 'Terms', duty: null }]],
])('a badge with a wrong %s is refused with the name of the field', async (path, value) => {
  const [member = ''] = path.split('.')
  const details = [{ param: `payload.${path}` }]
  expect(await sign({ [member]: value })).toMatchObject({ status: 400, body: { details } })
})

test('the limit of values is for all members of a badge together', async () => {
  const evidence = (count: number) =>
    Array.from({ length: 3 }, () => ({ type: 'Evidence', steps: Array(count).fill('a step') }))
  expect(await sign({ evidence: evidence(600) })).toMatchObject({ status: 200 })
  const msg = 'Must have at most 2000 values in all members together'
  expect(await sign({ evidence: evidence(700) })).toMatchObject({
    status: 400,
    body: { details: [{ param: 'payload', msg }] },
  })
})
