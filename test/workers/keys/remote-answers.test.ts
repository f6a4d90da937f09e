import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { register } from 'prom-client'
import { expect, test } from 'vitest'
import { KeyProviderRefused, KeyProviderUnavailable } from '../../../workers/signing/keys/provider.ts'
import { eventually } from '../../harness/harness.ts'
import { type ApiCall, type FakeAnswer, openProvider, startFakeApi, tenantId } from '../../servers/remote-signer.ts'

const bytes = Buffer.from('what is signed')
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const secret = 'sesame-in-an-answer'

function signatureBy(key: KeyObject, data: Buffer = bytes): string {
  return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
}

/** A provider whose server returns these answers in sequence, and then valid signatures. */
async function start(answers: FakeAnswer[], limits: object = {}) {
  const valid = { json: { signature: signatureBy(privateKey) } }
  const api = await startFakeApi(({ path }: ApiCall) => {
    if (path.startsWith('/v1/keys?')) return { json: { keys: [] } }
    return answers.shift() ?? valid
  })
  const opened = openProvider({ adapter: 'remote-signer', url: api.url, limits })
  const key = { id: 'key-1', tenantId, algorithm: 'ES256', publicKey, handle: 'remote-1' } as const
  return { ...opened, calls: api.calls, signer: opened.provider.signer(key) }
}

async function up(): Promise<number | undefined> {
  const metric = await register.getSingleMetric('trustwright_key_provider_up')?.get()
  return metric?.values.find(({ labels }) => labels.provider === 'remote:test')?.value
}

const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
test.each<[string, FakeAnswer]>([
  ['of another key', { json: { signature: signatureBy(other) } }],
  ['of other bytes', { json: { signature: signatureBy(privateKey, Buffer.from('other')) } }],
  ['in DER', { json: { signature: sign('sha256', bytes, privateKey).toString('base64url') } }],
  ['that is too short', { json: { signature: signatureBy(privateKey).slice(0, 40) } }],
  ['that is empty', { json: { signature: '' } }],
  ['that is not base64url', { json: { signature: `${signatureBy(privateKey).slice(0, -2)}==` } }],
  ['that is a number', { json: { signature: 12 } }],
  ['that is missing', { json: {} }],
])('a signature %s is refused, and not sent again', async (_, answer) => {
  const { signer, calls } = await start([answer])
  await expect(signer.sign(bytes)).rejects.toThrow(KeyProviderRefused)
  expect(calls).toHaveLength(1)
})

test.each<[string, FakeAnswer]>([
  ['a list', { json: [] }],
  ['HTML', { body: `<html>${secret}</html>` }],
  ['no UTF-8', { body: '\u{fffd}{' }],
  ['a member twice', { body: `{"signature":"${secret}","signature":"${secret}"}` }],
  ['more than 256 KiB', { json: { signature: 'a'.repeat(300_000) } }],
])('an answer with %s makes the request fail without its content', async (_, answer) => {
  const { signer, calls } = await start([answer, answer, answer])
  const error = await signer.sign(bytes).catch((error: Error) => error)
  expect(error).toBeInstanceOf(KeyProviderUnavailable)
  expect(String(error)).not.toContain(secret)
  expect(calls).toHaveLength(3)
})

test.each<[string, FakeAnswer[]]>([
  ['a closed connection', ['reset']],
  ['two errors of the server', [{ status: 500, body: secret }, { status: 503 }]],
  ['no answer in time', ['hang']],
  ['a request for fewer calls', [{ status: 429 }, { status: 429 }, { status: 429 }, { status: 429 }]],
])('after %s the request is repeated', async (_, answers) => {
  const { signer, calls, lines } = await start([...answers], { timeoutMs: 300, deadlineMs: 60_000 })
  expect(await signer.sign(bytes)).toHaveLength(64)
  expect(calls).toHaveLength(answers.length + 1)
  expect(lines).toEqual([])
})

test('a server that never answers is given up at the deadline', async () => {
  const { signer } = await start(['hang', 'hang', 'hang', 'hang'], { timeoutMs: 200, deadlineMs: 300 })
  await expect(signer.sign(bytes)).rejects.toThrow(KeyProviderUnavailable)
})

test.each([400, 404, 409, 413, 422])(
  'status %i is refused for good, without the content of the answer',
  async (status) => {
    const { signer, calls } = await start([{ status, json: { error: secret } }])
    const error = await signer.sign(bytes).catch((error: Error) => error)
    expect(error).toBeInstanceOf(KeyProviderRefused)
    expect(String(error)).toContain(`status ${status}`)
    expect(String(error)).not.toContain(secret)
    expect(calls).toHaveLength(1)
  },
)

test('a missing permission concerns one request, and does not make the provider unavailable', async () => {
  const { signer, lines } = await start([{ status: 403 }, { status: 403 }, { status: 403 }])
  await expect(signer.sign(bytes)).rejects.toThrow('refuses the credentials or their permissions (status 403)')
  expect(await signer.sign(bytes)).toHaveLength(64)
  expect(lines).toEqual([])
  expect(await up()).toBe(1)
})

test('the metric is 0 while the breaker is open, and no call is sent meanwhile', async () => {
  let isDown = true
  const api = await startFakeApi(({ path }) => {
    if (isDown) return { status: 500 }
    return { json: path.startsWith('/v1/keys') ? { keys: [] } : { signature: signatureBy(privateKey) } }
  })
  const { provider, lines } = openProvider({ adapter: 'remote-signer', url: api.url })
  const signer = provider.signer({ id: 'key-1', tenantId, algorithm: 'ES256', publicKey, handle: 'remote-1' })
  for (let each = 0; each < 2; each++) await expect(signer.sign(bytes)).rejects.toThrow(KeyProviderUnavailable)
  expect(await up()).toBe(0)
  const signatures = () => api.calls.filter(({ path }) => path === '/v1/sign').length
  const before = signatures()
  await expect(signer.sign(bytes)).rejects.toThrow('it answers with status 500')
  expect(signatures()).toBe(before)
  isDown = false
  await eventually(async () => (await up()) === 1)
  expect(await signer.sign(bytes)).toHaveLength(64)
  expect(lines.map(({ msg }) => msg)).toEqual(['key provider is not available', 'key provider is available again'])
})

test('as many calls run at the same time as the limit allows', async () => {
  let running = 0
  const most: number[] = []
  const { promise, resolve: answerAll } = Promise.withResolvers<void>()
  const api = await startFakeApi(async () => {
    most.push(++running)
    if (running === 8) answerAll()
    await promise
    running--
    return { json: { signature: signatureBy(privateKey) } }
  })
  const { provider } = openProvider({ adapter: 'remote-signer', url: api.url, limits: { concurrency: 8 } })
  const signer = provider.signer({ id: 'key-1', tenantId, algorithm: 'ES256', publicKey, handle: 'remote-1' })
  await Promise.all(Array.from({ length: 40 }, () => signer.sign(bytes)))
  expect(Math.max(...most)).toBe(8)
})

test('an algorithm that the settings do not name is refused without a call', async () => {
  const api = await startFakeApi(() => ({ json: {} }))
  const { provider } = openProvider({ adapter: 'remote-signer', url: api.url, algorithms: ['ES256'] })
  expect(provider.supports('ES256')).toBe(true)
  expect(provider.supports('Ed25519')).toBe(false)
  expect(provider.supports('Bls12381G2')).toBe(false)
  for (const algorithm of ['Ed25519', 'Bls12381G2'] as const) {
    const made = provider.generate({ id: 'key-1', tenantId, purpose: 'did', label: 'label', algorithm })
    await expect(made).rejects.toThrow(`has no keys of ${algorithm}`)
  }
  expect(api.calls).toEqual([])
})

const jwk = createPublicKey(privateKey).export({ format: 'jwk' })
test.each([
  ['of another curve', generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })],
  ['with a private member', privateKey.export({ format: 'jwk' })],
  ['that is not on the curve', { ...jwk, y: jwk.x }],
  ['that is missing', {}],
])('a public key %s is refused', async (_, key) => {
  const api = await startFakeApi(() => ({ json: { kid: 'remote-1', ...key } }))
  const { provider } = openProvider({ adapter: 'remote-signer', url: api.url })
  const made = provider.generate({ id: 'key-1', tenantId, purpose: 'did', label: 'label', algorithm: 'ES256' })
  await expect(made).rejects.toThrow(KeyProviderRefused)
})

test.each([
  ['of 31 bytes', Buffer.alloc(31, 1)],
  ['of zeros', Buffer.alloc(32)],
])('a shared secret %s is refused', async (_, shared) => {
  const api = await startFakeApi(() => ({ json: { secret: shared.toString('base64url') } }))
  const { provider } = openProvider({ adapter: 'remote-signer', url: api.url })
  const key = { id: 'key-1', tenantId, algorithm: 'ECDH-ES', publicKey, handle: 'remote-1' } as const
  await expect(provider.agreement(key).derive(publicKey)).rejects.toThrow('no shared secret of 32 bytes')
})

test('a list of keys that never ends is refused', async () => {
  const api = await startFakeApi(() => ({ json: { keys: [{ kid: 'one' }], next: 'one' } }))
  const { provider } = openProvider({ adapter: 'remote-signer', url: api.url })
  await expect(Array.fromAsync(provider.handles())).rejects.toThrow(
    'the answer of the remote signer is wrong: next'.replace('the', 'The'),
  )
})
