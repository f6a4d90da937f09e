import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { readSigner, startReferenceSigner } from '../servers/remote-signer.ts'

const page = readFileSync(new URL('../../docs/remote-signer.md', import.meta.url), 'utf8')
const [settings, document] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text))
const example = readFileSync(new URL('../../examples/remote-signer.mjs', import.meta.url), 'utf8')

test('the document is valid OpenAPI', async () => {
  expect(await new Validator().validate(document)).toEqual({ valid: true })
})

test('the example of settings is complete', () => {
  const { tokenFile, tls, ...own } = settings.signers.own
  expect(tokenFile && tls).toBeTruthy()
  expect(readSigner(own)).toMatchObject({ ...own, limits: { callsPerSecond: 200, concurrency: 16 } })
})

test('the reference server has at most 120 lines and no dependencies', () => {
  expect(example.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  const imports = [...example.matchAll(/ from '([^']+)'/g)].map(([, name]) => name)
  expect(imports.filter((name) => !name?.startsWith('node:'))).toEqual([])
})

test('each answer of the reference server is one of the document', async () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema({ $id: 'document', ...document })
  const { url } = await startReferenceSigner()
  const used = new Set<string>()

  /** Sends a request and checks both bodies by the document. */
  async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const place = path.replace(/\?.*/, '').replace(/^\/v1\/keys\/.*/, '/v1/keys/{kid}')
    const operation = document.paths[place][method.toLowerCase()]
    used.add(operation.operationId)
    const sent = { authorization: 'Bearer first-token', 'content-type': 'application/json', ...headers }
    const response = await fetch(`${url}${path}`, {
      method,
      headers: sent,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { content } = operation.responses[response.status] ?? document.components.responses.Error
    const text = await response.text()
    if (response.ok && body)
      expect(errorsOf(operation.requestBody.content['application/json'].schema, body)).toEqual([])
    if (!content) expect(text).toBe('')
    const json = content && JSON.parse(text)
    if (content) expect(errorsOf(content['application/json'].schema, json)).toEqual([])
    return { status: response.status, json }
  }

  function errorsOf({ $ref }: { $ref: string }, value: unknown) {
    const validate = ajv.compile({ $ref: $ref.replace('#', 'document#') })
    return validate(value) ? [] : validate.errors
  }

  const idempotent = (key: string) => ({ 'idempotency-key': key })
  const made = (algorithm: string) => send('POST', '/v1/keys', { algorithm, label: 'label' }, idempotent(algorithm))
  const [es256, ed25519, x25519] = [await made('ES256'), await made('Ed25519'), await made('X25519')]
  expect(es256.status).toBe(201)
  expect((await made('ES256')).json).toEqual(es256.json)
  const key = es256.json.kid
  const digest = Buffer.alloc(32).toString('base64url')
  const peer = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' })
  const statuses = [
    await send('GET', '/v1/keys?limit=1'),
    await send('GET', `/v1/keys?after=${key}`),
    await send('GET', `/v1/keys/${key}`),
    await send('POST', '/v1/sign', { key, algorithm: 'ES256', digest }),
    await send('POST', '/v1/sign', { key: ed25519.json.kid, algorithm: 'Ed25519', message: 'AAAA' }),
    await send('POST', '/v1/derive', { key: x25519.json.kid, algorithm: 'X25519', publicKey: peer }),
    await send('DELETE', `/v1/keys/${key}`),
  ].map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 204])

  const refusals = [
    await send('POST', '/v1/sign', { key, algorithm: 'ES256', digest }),
    await send('POST', '/v1/sign', { key: ed25519.json.kid, algorithm: 'ES256', digest }),
    await send('POST', '/v1/sign', { key: ed25519.json.kid, algorithm: 'ES256', digest: 'AAAA' }),
    await send('POST', '/v1/derive', { key: ed25519.json.kid, algorithm: 'Ed25519', publicKey: peer }),
    await send('POST', '/v1/keys', { algorithm: 'RS256', label: 'label' }, idempotent('other')),
    await send('POST', '/v1/keys', { algorithm: 'Ed25519', label: 'label' }, idempotent('X25519')),
    await send('GET', '/v1/keys/..%2Ftoken'),
    await send('GET', '/v1/keys', undefined, { authorization: 'Bearer wrong' }),
  ].map(({ status }) => status)
  expect(refusals).toEqual([404, 400, 400, 400, 400, 409, 404, 401])
  expect([...used].sort()).toEqual(['derive', 'destroyKey', 'listKeys', 'makeKey', 'retrieveKey', 'sign'])
})
