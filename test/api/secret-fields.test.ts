import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { secretNames } from '../../api/http/secrets.ts'
import { routes } from '../../api/routes.ts'
import { joinService, type SharedService } from '../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const inputs = routes.flatMap(({ operation, query, body }) =>
  [query, body].flatMap((schema) => (schema ? [{ operation, schema }] : [])),
)

/** Every member name in a JSON Schema. */
function namesIn(printed: unknown): string[] {
  if (typeof printed !== 'object' || printed === null) return []
  const own = 'properties' in printed ? Object.keys(printed.properties as object) : []
  return [...own, ...Object.values(printed).flatMap(namesIn)]
}

/** Names that only sound like secrets. */
const notSecret = new Set([
  ...['tokenUrl', 'tokenEndpointAuthMethod', 'transactionCodeConfiguration', 'failedSecretsPerMinute', 'renewSecret'],
  // A purpose of keys in the rotation settings, and the kind of a token.
  ...['tokens', 'token_type_hint'],
])
const soundsSecret = /secret|password|token|(^|[_-])code$|code.?verifier|transaction_id|api.?key/i

test('every field whose name sounds like a secret is marked as secret', () => {
  const unmarked = inputs.flatMap(({ operation, schema }) => {
    const names = namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
    const suspects = names.filter((name) => soundsSecret.test(name) && !notSecret.has(name))
    return suspects.filter((name) => !secretNames(schema).has(name)).map((name) => `${operation}: ${name}`)
  })
  expect(unmarked).toEqual([])
  const marked = inputs.flatMap(({ schema }) => [...secretNames(schema)])
  expect(marked).toEqual(expect.arrayContaining(['clientSecret', 'client_secret', 'tx_code', 'code', 'value']))
})

test('the reference shows secret fields as passwords', async () => {
  const { body } = await service.anonymous.get('/openapi.json')
  const { clientSecret } = body.components.schemas.AuthenticationProviderRequest.properties
  expect(clientSecret).toMatchObject({ type: 'string', format: 'password', pattern: expect.any(String) })
})

describe('a refusal does not repeat', () => {
  const hidden = 'sécret-0f9c'
  const provider = { url: 'https://login.example', clientId: 'id', scope: ['openid'] }
  const source = { name: 'Source', url: 'https://claims.example' }
  const credentials = { tokenUrl: 'https://login.example', clientId: 'id' }

  test.each([
    ['/v1/users/authentication-providers', { ...provider, clientSecret: hidden }, 'clientSecret'],
    ['/v1/users/authentication-providers', JSON.stringify(hidden), ''],
    ['/v1/claim-sources', { ...source, authorization: { type: 'api-key', value: hidden } }, 'authorization.value'],
    ['/v1/claim-sources', { ...source, authorization: hidden }, 'authorization'],
    [
      '/v1/claim-sources',
      {
        ...source,
        authorization: { type: 'oauth-client-credentials', value: { ...credentials, clientSecret: hidden } },
      },
      'authorization.value.clientSecret',
    ],
  ])('at %s the secret in %j', async (path, body, param) => {
    const answer = await service.operator.post(path, body)
    expect(answer).toMatchObject({ status: 400, body: { details: [{ param, location: 'body' }] } })
    expect(JSON.stringify(answer.body)).not.toContain(hidden)
  })

  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString().trim()
  const jwk = privateKey.export({ format: 'jwk' })
  const random = randomBytes(32).toString('base64url')
  const uuid = 'c9a3a5a4-4b5e-4a7f-8a8e-0d7d7b6f5d11'
  test.each<[what: string, path: string, body: object, secret: string]>([
    ['a private key', '/v2/credentials/mobile/iacas', { certificatePem: pem }, pem.split('\n')[1]!],
    ['a private key of another form', '/v1/messaging/verify', { jws: pem.slice(0, 150) }, pem.split('\n')[1]!],
    ['a private JWK', '/v1/webhooks', { url: JSON.stringify(jwk), events: [] }, jwk.d!],
    ['a part of a JWK', '/v1/webhooks', { url: `"d": "${jwk.d}"`, events: [] }, jwk.d!],
    ['a password in a URL', '/v1/webhooks', { url: 'https://ada:Pa55wort@host.example', events: [] }, 'Pa55wort'],
    ['a password that breaks a URL', '/v1/webhooks', { url: 'https://ada:Pa5/5w#ort@h.example', events: [] }, 'Pa5/5w'],
    ['a token in a URL', '/v1/webhooks', { url: 'ftp://h.example/?api_key=Pa55wort', events: [] }, 'Pa55wort'],
    ['a bearer token', '/v1/users/search', { cursor: 'Bearer abcdefgh12345678' }, 'abcdefgh'],
    ['a JWT', '/v1/users/search', { cursor: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhZGEifQ.c2ln' }, 'eyJzdWIiOiJhZGEifQ'],
    ['a secret of this service', '/v1/users/search', { cursor: `${uuid}.${random}` }, random],
    ['a client secret', '/v1/users/search', { limit: random }, random],
  ])('%s in a field for another value', async (_what, path, body, secret) => {
    const answer = await service.operator.post(path, body)
    expect(answer.status).toBe(400)
    expect(JSON.stringify([answer.body, answer.headers])).not.toContain(secret)
    const inPath = await service.operator.get(
      `/v1/users/${encodeURIComponent(Object.values(body).find((value) => JSON.stringify(value).includes(secret.slice(0, 4))))}`,
    )
    expect(inPath.status).toBe(400)
    expect(JSON.stringify(inPath.body)).not.toContain(secret)
  })

  test('secret fields, but repeats other fields of the same body', async () => {
    const answer = await service.operator.post('/v1/users/authentication-providers', {
      ...{ ...provider, clientId: 'é', clientSecret: hidden },
    })
    expect(answer.body.details).toMatchObject([{ param: 'clientId', value: 'é' }, { param: 'clientSecret' }])
  })
})
