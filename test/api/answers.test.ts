import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

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
