import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinService, type SharedService } from '../../harness/harness.ts'

const path = '/v2/credentials/web-semantic/presentations'

const query = [
  {
    type: 'QueryByExample',
    credentialQuery: [
      {
        required: true,
        reason: 'Show that you study here',
        example: {
          '@context': ['https://www.w3.org/2018/credentials/v1'],
          type: ['UniversityDegreeCredential'],
          trustedIssuer: [{ issuer: 'did:web:university.example', required: true }],
          issuanceDate: '2026-01-01',
        },
      },
    ],
  },
]
const template = { domain: 'shop.example', name: 'Student discount', query }

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('templates are stored as written until they are changed or deleted', async () => {
  const { operator } = await service.addTenant()
  const { status, body } = await operator.post(`${path}/templates`, template)
  expect([status, body]).toEqual([201, { id: body.id, ...template }])
  const other = (await operator.post(`${path}/templates`, { ...template, query: [{ type: 'DIDAuth' }] })).body
  expect((await operator.get(`${path}/templates`)).body).toEqual({ data: [body, other] })

  const changed = { ...template, id: body.id, name: 'Another name' }
  expect(await operator.put(`${path}/templates/${body.id}`, changed)).toMatchObject({ status: 200, body: changed })
  expect((await operator.get(`${path}/templates/${body.id}`)).body).toEqual(changed)
  expect(await operator.put(`${path}/templates/${body.id}`, { ...changed, id: other.id })).toMatchObject({
    status: 400,
    body: { details: [{ param: 'id' }] },
  })
  expect(await operator.delete(`${path}/templates/${body.id}`)).toMatchObject({ status: 204 })
  expect(await operator.get(`${path}/templates/${body.id}`)).toMatchObject({ status: 404 })
})

const withExample = (example: object) => ({
  ...template,
  query: [{ type: 'QueryByExample', credentialQuery: [{ example }] }],
})

test.each([
  ['a scheme', { ...template, domain: 'https://shop.example' }, 'domain'],
  ['no name', { ...template, name: ' ' }, 'name'],
  ['no query', { ...template, query: [] }, 'query'],
  ['a query by frame', { ...template, query: [{ type: 'QueryByFrame', credentialQuery: [] }] }, 'query.0.type'],
  [
    'no example',
    { ...template, query: [{ type: 'QueryByExample', credentialQuery: [{}] }] },
    'query.0.credentialQuery.0.example',
  ],
  ['no type', withExample({ '@context': 'https://schema.org' }), 'query.0.credentialQuery.0.example.type'],
  [
    'an issuer that is not a DID',
    withExample({
      '@context': 'https://schema.org',
      type: 'A',
      trustedIssuer: [{ issuer: 'https://university.example' }],
    }),
    'query.0.credentialQuery.0.example.trustedIssuer.0.issuer',
  ],
])('a template with %s is refused with the name of the field', async (_what, body, param) => {
  const refused = await service.operator.post(`${path}/templates`, body)
  expect(refused).toMatchObject({ status: 400, body: { details: [{ param, location: 'body' }] } })
})
