import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from '../harness/api-client.ts'
import { type Service, startService } from '../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

describe('X-Ignored-Fields names unknown members:', () => {
  const configurations = '/v2/credentials/compact/configurations'
  const claimMappings = { name: { defaultValue: 'x' } }
  const ignoredOf = async (path: string, body: unknown) => {
    const { status, headers } = await service.operator.post(path, body)
    return [status, headers['x-ignored-fields']]
  }

  test('of a body at any depth', async () => {
    const nested = { name: { defaultValue: 'x', mapForm: 'claims.x' } }
    const expiresIn = { years: 1, decades: 2 }
    const body = { type: randomUUID(), claimMappings: nested, expiresIn, revokable: true }
    expect(await ignoredOf(configurations, body)).toEqual([
      201,
      'claimMappings.name.mapForm, expiresIn.decades, revokable',
    ])
    expect(await ignoredOf(configurations, { type: randomUUID(), claimMappings })).toEqual([201, undefined])
  })

  test('that belong to another kind of object', async () => {
    expect(await ignoredOf('/v1/dids', { method: 'key', options: { url: 'example.com' } })).toEqual([
      201,
      'options.url',
    ])
    const source = {
      name: 'S',
      url: 'https://claims.example',
      authorization: { type: 'api-key', value: 'k', scope: 's' },
    }
    expect(await ignoredOf('/v1/claim-sources', source)).toEqual([201, 'authorization.scope'])
  })

  test('except where any name is allowed', async () => {
    expect(await ignoredOf('/v1/users', { claims: { any: { thing: 1 } } })).toEqual([201, undefined])
  })

  test('in a refused request too', async () => {
    expect(await ignoredOf(configurations, { type: 'T', claimMapings: {} })).toEqual([400, 'claimMapings'])
  })

  test('of a query, for operations with and without query parameters', async () => {
    const { headers } = await service.operator.get('/v1/users?limt=5&limit=5&cursor_=1')
    expect(headers['x-ignored-fields']).toBe('limt, cursor_')
    const single = await service.operator.get(`/v1/users/${randomUUID()}?expand=claims&expand=x&__proto__=1`)
    expect(single).toMatchObject({ status: 404, headers: { 'x-ignored-fields': 'expand, __proto__' } })
  })

  test('at most 20, with characters that a header allows', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}`, at]))
    const [, ignored] = await ignoredOf('/v1/users', many)
    expect(String(ignored).split(', ')).toEqual(Object.keys(many).slice(0, 20))
    const strange = { 'a\r\nSet-Cookie: b': 1, 'ä,\u2028': 1, ['y'.repeat(5000)]: 1 }
    expect(await ignoredOf('/v1/users', strange)).toEqual([201, `a?, ?, ${'y'.repeat(100)}`])
  })
})

test('X-Ignored-Fields hides text that was not meant as a name', async () => {
  const json = '{"client_secret":"sesame","grant_type":"client_credentials"}'
  const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
  const { headers } = await service.anonymous.post('/oauth/token', json, asForm)
  expect(headers['x-ignored-fields']).toBe('?')
})

describe('a refusal says', () => {
  const configurations = '/v2/credentials/compact/configurations'

  test('which roles are needed and which the client has (RFC 6750, section 3.1)', async () => {
    const verifier = await service.as('verifier')
    expect(await verifier.post('/v1/webhooks', {})).toMatchObject({
      status: 403,
      body: undefined,
      headers: {
        'www-authenticate':
          'Bearer error="insufficient_scope", error_description="The client needs one of the roles admin, issuer, ' +
          'managed-issuer. Roles of the client: verifier."',
      },
    })
  })

  test.each([
    [{ 'content-type': 'text/xml' }, 'The Content-Type must be application/json'],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'Send the body without a Content-Encoding'],
  ])('what is accepted instead of %j', async (headers, message) => {
    expect(await service.operator.post(configurations, '{}', headers)).toMatchObject({ status: 415, body: { message } })
  })

  test('which media types are accepted for a file', async () => {
    const answer = await service.operator.post('/v2/credentials/compact/verify', 'x', { 'content-type': 'text/plain' })
    const message = 'The Content-Type must be multipart/form-data or application/json'
    expect(answer).toMatchObject({ status: 415, body: { message } })
  })

  test.each([
    ['{"type": "T",\n  "claimMappings": {,}}', ': see line 2, column 21'],
    ["{'type': 'T'}", ': see line 1, column 2'],
    ['{"type": "T"', ': see line 1, column 13'],
    ['{"type": "T"} // x', ': see line 1, column 15'],
    ['{"type": "T",}', ': see line 1, column 14'],
    ['{"type": "a\tb"}', ': see line 1, column 10'],
  ])('where %j is not valid JSON', async (text, place) => {
    const { status, body } = await service.operator.post(configurations, text, { 'content-type': 'application/json' })
    expect([status, body]).toEqual([400, { code: 'BadRequest', message: `The body is not valid JSON${place}` }])
  })

  test('that endlessly nested JSON is not valid, without a position', async () => {
    const answer = await service.operator.post(configurations, '['.repeat(50_000), {
      'content-type': 'application/json',
    })
    expect(answer).toMatchObject({ status: 400, body: { message: 'The body is not valid JSON' } })
  })

  test('which host serves the operation', async () => {
    const domain = service.deps.config.platformDomain
    const tenants = `the host of a tenant, {subdomain}.${domain} or one of its aliases`
    const { platformHost } = service.deps.config
    const messageOf = async (host: string, path: string) => {
      const { status, body } = await createApi(service.origin, host).get(path)
      return [status, body.message]
    }
    for (const host of ['unknown.example', 'evil.example:81', 'x'.repeat(300)])
      expect(await messageOf(host, '/v1/webhooks')).toEqual([
        404,
        `No tenant has this host. Use ${tenants}. The platform is at ${platformHost}.`,
      ])
    expect(await messageOf(service.host, '/v1/tenants')).toEqual([
      404,
      `This host does not serve this operation. Use the host of the platform, ${platformHost}.`,
    ])
    expect(await messageOf(platformHost, '/v1/webhooks')).toEqual([
      404,
      `This host does not serve this operation. Use ${tenants}.`,
    ])
  })

  test.each([
    [[], 'credentials', 'Must have at least one entry: the id of a credential configuration, which is a UUID'],
    [
      ['org.iso.18013.5.1.mDL'],
      'credentials.0',
      'Must be the id of a credential configuration, which is a UUID. A type or a name is not accepted',
    ],
  ])('what %j must be instead of ids of configurations', async (credentials, param, msg) => {
    for (const path of ['/v1/openid/offers', '/v1/openid/offers/pre-authorized']) {
      const answer = await service.operator.post(path, { credentials })
      expect(answer).toMatchObject({ status: 400, body: { details: [{ param, msg }] } })
    }
  })
})

describe('an address is refused with the same message for each purpose:', () => {
  const provider = { clientId: 'id', clientSecret: 'secret' }
  const authorization = { type: 'api-key', value: 'key' }
  const credentials = { clientId: 'id', clientSecret: 'secret' }
  const inBodies: [method: 'post' | 'put', path: string, param: string, body: (url: string) => object][] = [
    ['post', '/v1/webhooks', 'url', (url) => ({ url, events: ['OpenIdCredentialIssued'] })],
    ['post', '/v1/users/authentication-providers', 'url', (url) => ({ ...provider, url })],
    ['post', '/v1/claim-sources', 'url', (url) => ({ name: 'Source', url, authorization })],
    [
      'post',
      '/v1/claim-sources',
      'authorization.value.tokenUrl',
      (tokenUrl) => ({
        name: 'Source',
        url: 'https://claims.example',
        authorization: { type: 'oauth-client-credentials', value: { ...credentials, tokenUrl } },
      }),
    ],
    ['put', '/v1/openid/configuration', 'interactionHook.url', (url) => ({ interactionHook: { url } })],
    [
      'post',
      '/v1/ecosystems',
      'integrations.0.url',
      (url) => ({ name: 'E', integrations: [{ format: 'VICAL', url }] }),
    ],
    [
      'post',
      '/v2/credentials/web-semantic/presentations/requests',
      'callbackUrl',
      (callbackUrl) => ({ callbackUrl, challenge: 'c', templateId: randomUUID(), did: service.did }),
    ],
    [
      'post',
      '/v2/credentials/web-semantic/configurations',
      'issuer.logoUrl',
      (logoUrl) => ({ name: 'N', type: 'T', claimMappings: {}, issuer: { name: 'I', logoUrl } }),
    ],
  ]

  test.each(inBodies)('%s %s, %s', async (method, path, param, body) => {
    const refusalOf = async (url: string) => {
      const { status, body: answer } = await service.operator[method](path, body(url))
      return [status, answer.details?.map((each: { param: string; msg: string }) => [each.param, each.msg])]
    }
    expect(await refusalOf('http://example.com/x')).toEqual([400, [[param, 'Must use https']]])
    const absolute = 'Must be a plain absolute URL such as https://example.com/path'
    expect(await refusalOf('example.com/x')).toEqual([400, [[param, absolute]]])
  })
})
