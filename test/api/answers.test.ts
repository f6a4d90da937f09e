import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

describe('members that nobody knows are passed over, and named in X-Ignored-Fields:', () => {
  const configurations = '/v2/credentials/compact/configurations'
  const claimMappings = { name: { defaultValue: 'x' } }
  const ignoredOf = async (path: string, body: unknown) => {
    const { status, headers } = await service.operator.post(path, body)
    return [status, headers['x-ignored-fields']]
  }

  test('those of a body, however deep', async () => {
    const nested = { name: { defaultValue: 'x', mapForm: 'claims.x' } }
    const expiresIn = { years: 1, decades: 2 }
    const body = { type: randomUUID(), claimMappings: nested, expiresIn, revokable: true }
    expect(await ignoredOf(configurations, body)).toEqual([
      201,
      'claimMappings.name.mapForm, expiresIn.decades, revokable',
    ])
    expect(await ignoredOf(configurations, { type: randomUUID(), claimMappings })).toEqual([201, undefined])
  })

  test('those that go with another kind of the same thing', async () => {
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

  test('not those that may have any name', async () => {
    expect(await ignoredOf('/v1/users', { claims: { any: { thing: 1 } } })).toEqual([201, undefined])
  })

  test('also where the request is refused, which may be why', async () => {
    expect(await ignoredOf(configurations, { type: 'T', claimMapings: {} })).toEqual([400, 'claimMapings'])
  })

  test('those of a query, of operations with and without one', async () => {
    const { headers } = await service.operator.get('/v1/users?limt=5&limit=5&cursor_=1')
    expect(headers['x-ignored-fields']).toBe('limt, cursor_')
    const single = await service.operator.get(`/v1/users/${randomUUID()}?expand=claims&expand=x&__proto__=1`)
    expect(single).toMatchObject({ status: 404, headers: { 'x-ignored-fields': 'expand, __proto__' } })
  })

  test('twenty at most, in characters that a header can have', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}`, at]))
    const [, told] = await ignoredOf('/v1/users', many)
    expect(String(told).split(', ')).toEqual(Object.keys(many).slice(0, 20))
    const strange = { 'a\r\nSet-Cookie: b': 1, 'ä,\u2028': 1, ['y'.repeat(5000)]: 1 }
    expect(await ignoredOf('/v1/users', strange)).toEqual([201, `a??Set-Cookie:?b, ???, ${'y'.repeat(100)}`])
  })
})

describe('an address is refused in the same words, whoever is to call it:', () => {
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
    const saidOf = async (url: string) => {
      const { status, body: answer } = await service.operator[method](path, body(url))
      return [status, answer.details?.map((each: { param: string; msg: string }) => [each.param, each.msg])]
    }
    expect(await saidOf('http://example.com/x')).toEqual([400, [[param, 'Must use https']]])
    const absolute = 'Must be a plain absolute URL such as https://example.com/path'
    expect(await saidOf('example.com/x')).toEqual([400, [[param, absolute]]])
  })
})
