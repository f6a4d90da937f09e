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
  image: { id: 'https://school.example/badge.png', type: 'Image', caption: 'A welding torch' },
  awardedDate: '2026-04-30T12:00:00Z',
  endorsementJwt: ['eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl'],
}

const uri = { type: 'string', format: 'uri' }
const text = { type: 'string' }
const time = { type: 'string', format: 'date-time' }
/** `array-compacted` of the data model: one value, or a list. */
const oneOrMore = (schema: object) => ({ anyOf: [schema, { type: 'array', items: schema, minItems: 1 }] })
const listOf = (items: object) => ({ type: 'array', items })
const typesWith = (name: string) => ({ anyOf: [{ const: name }, { ...listOf(text), contains: { const: name } }] })
const object = (required: string[], properties: Record<string, object>) => ({ type: 'object', required, properties })
const image = object(['id', 'type'], { id: uri, type: { const: 'Image' }, caption: text })
const badgeContext = '^https://purl\\.imsglobal\\.org/spec/ob/v3p0/context(-3\\.\\d\\.\\d)*\\.json$'

/**
 * What the class AchievementCredentialv1p1 requires, as a table of our own: the tests run offline. It is in
 * ob_v3p0/common_credentials.lines of github.com/1EdTech/openbadges-specification (1af145f), the source of the public schema for
 * the data model 1.1, ob_v3p0_anyachievementcredential_schema.json.
 */
const schema = object(['@context', 'id', 'type', 'name', 'credentialSubject', 'issuer', 'issuanceDate'], {
  '@context': {
    type: 'array',
    minItems: 2,
    prefixItems: [{ const: 'https://www.w3.org/2018/credentials/v1' }, { type: 'string', pattern: badgeContext }],
  },
  id: uri,
  type: {
    ...listOf(text),
    allOf: [
      { contains: { const: 'VerifiableCredential' } },
      { contains: { enum: ['AchievementCredential', 'OpenBadgeCredential'] } },
    ],
  },
  name: text,
  description: text,
  image,
  awardedDate: time,
  issuer: object(['id', 'type'], {
    ...{ id: uri, type: typesWith('Profile'), name: text, url: uri, description: text, image, email: text },
  }),
  issuanceDate: time,
  expirationDate: time,
  credentialSubject: {
    ...object(['type', 'achievement'], {
      id: uri,
      type: typesWith('AchievementSubject'),
      achievement: object(['id', 'type', 'criteria', 'description', 'name'], {
        ...{ id: uri, type: typesWith('Achievement'), name: text, description: text, image, achievementType: text },
        criteria: object([], { id: uri, narrative: text }),
        tag: listOf(text),
      }),
      identifier: listOf(
        object(['type', 'hashed', 'identityHash', 'identityType'], {
          ...{ type: { const: 'IdentityObject' }, hashed: { type: 'boolean' }, identityHash: text, identityType: text },
        }),
      ),
    }),
    anyOf: [{ required: ['id'] }, { required: ['identifier'] }],
  },
  endorsementJwt: listOf(text),
  evidence: listOf(
    object(['type'], { id: uri, type: typesWith('Evidence'), name: text, narrative: text, genre: text }),
  ),
  credentialSchema: oneOrMore(object(['id', 'type'], { id: uri, type: text })),
  refreshService: object(['id', 'type'], { id: uri, type: text }),
  termsOfUse: oneOrMore(object(['type'], { id: uri, type: text })),
  credentialStatus: object(['id', 'type'], { id: uri, type: text }),
  proof: oneOrMore(object(['type'], { type: text, created: time, proofPurpose: text, verificationMethod: uri })),
})
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
  const changes = [
    { evidence: [{ ...more.evidence[0], narrative: 'Of another piece' }] },
    { image: { ...more.image, id: 'https://school.example/other.png' } },
    ...[{ awardedDate: '2020-01-01T00:00:00Z' }, { endorsementJwt: ['e30.e30.e30'] }],
  ]
  for (const change of changes)
    expect(await verify({ ...body.credential, ...change })).toMatchObject({ verified: false })
})

test('an issuer as text is signed and verified, but a badge of the data model 1.1 needs a profile', async () => {
  const { body } = await sign({ issuer: service.did })
  expect(body.credential.issuer).toBe(service.did)
  expect(await verify(body.credential)).toEqual({ verified: true })
  faultsOf(body.credential)
  expect(faultsOf.errors?.map(({ instancePath }) => instancePath)).toEqual(['/issuer'])
})

test('the status of a revocable badge is valid by the schema', async () => {
  const payload = { ...badge, issuer: { type: 'Profile' } }
  const { body } = await service.operator.post('/v2/credentials/web-semantic/sign', { payload, revocable: true })
  expect(body.credential.credentialStatus).toMatchObject({ type: 'RevocationList2020Status' })
  faultsOf(body.credential)
  expect(faultsOf.errors).toBeNull()
})

test.each([
  ['issuer', 'did:example:other'],
  ['issuer.id', { id: 'did:example:other', type: 'Profile' }],
  ['issuer.proof', { type: 'Profile', proof: 'x' }],
  ['evidence.0.type', [{ id: 'https://school.example/e/1' }]],
  ['credentialSchema.0.id', [{ type: 'JsonSchema' }]],
  ['refreshService.id', { id: 'not a URI', type: 'Refresh' }],
  ['termsOfUse.0.duty', [{ type: 'Terms', duty: null }]],
  ['image.id', { type: 'Image' }],
  ['awardedDate', '2026-04-30'],
  ['endorsementJwt.0', ['not a JWS']],
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
