import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { KeyProviderRefused, KeyProviderUnavailable } from '../../../workers/signing/keys/provider.ts'
import {
  type ApiCall,
  type FakeAnswer,
  newFolder,
  newSigner,
  openProvider,
  startFakeApi,
} from '../../servers/remote-signer.ts'

const keyRing = 'projects/acme/locations/europe-west1/keyRings/issuer'
const account = generateKeyPairSync('rsa', { modulusLength: 2048 })
const bytes = Buffer.from('what is signed')
const sha256 = createHash('sha256').update(bytes).digest('base64')
/** An error, as "Error model" of the Google Cloud APIs describes. */
const errorOf = (code: number, status: string): FakeAnswer => ({
  status: code,
  json: { error: { code, message: 'sesame', status } },
})

interface Key {
  pair: KeyPairKeyObjectResult
  state: string
  /** The looks at the public key until it is made. */
  pendingLooks: number
}

/** Google Cloud KMS with the answers of its REST reference, version 1, and the token endpoint. */
async function startKms({
  pendingLooks = 0,
  signature,
}: {
  pendingLooks?: number
  signature?: (call: ApiCall) => FakeAnswer
} = {}) {
  const keys = new Map<string, Key>()
  const tokens: string[] = []
  const answerTo = (call: ApiCall): FakeAnswer => {
    const url = new URL(call.path, 'http://kms')
    if (url.pathname === '/token') {
      tokens.push(new URLSearchParams(call.body).get('assertion') ?? '')
      return { json: { access_token: `token-${tokens.length}`, expires_in: 3599, token_type: 'Bearer' } }
    }
    const [, path = '', action] = /^\/v1\/(.*?)(?::(\w+))?$/.exec(url.pathname) ?? []
    const name = path.replace(/\/publicKey$/, '')
    const key = keys.get(name)
    const version = { name, state: key?.state, protectionLevel: 'HSM', algorithm: 'EC_SIGN_P256_SHA256' }
    if (call.method === 'POST' && path === `${keyRing}/cryptoKeys`) {
      const made = `${path}/${url.searchParams.get('cryptoKeyId')}/cryptoKeyVersions/1`
      if (keys.has(made)) return errorOf(409, 'ALREADY_EXISTS')
      keys.set(made, { pair: generateKeyPairSync('ec', { namedCurve: 'P-256' }), state: 'ENABLED', pendingLooks })
      return { json: { name: made, purpose: 'ASYMMETRIC_SIGN', createTime: '2026-01-01T00:00:00Z' } }
    }
    if (path === `${keyRing}/cryptoKeys`) {
      const names = [...keys.keys()].map((each) => ({
        name: each.replace(/\/cryptoKeyVersions\/1$/, ''),
        purpose: 'ASYMMETRIC_SIGN',
      }))
      const token = url.searchParams.get('pageToken')
      if (names.length < 2 || token)
        return { json: { cryptoKeys: token ? names.slice(1) : names, totalSize: names.length } }
      return { json: { cryptoKeys: names.slice(0, 1), nextPageToken: 'next', totalSize: names.length } }
    }
    if (path.endsWith('/cryptoKeyVersions')) {
      const versions = [...keys].filter(([each, { state }]) => each.startsWith(path) && state === 'ENABLED')
      return { json: versions.length === 0 ? {} : { cryptoKeyVersions: versions.map(([name]) => ({ name })) } }
    }
    if (!key) return errorOf(404, 'NOT_FOUND')
    if (path.endsWith('/publicKey')) {
      if (key.pendingLooks-- > 0) return errorOf(400, 'FAILED_PRECONDITION')
      return { json: { ...version, pem: key.pair.publicKey.export({ format: 'pem', type: 'spki' }), pemCrc32c: '1' } }
    }
    if (action === 'asymmetricSign') {
      if (signature) return signature(call)
      if (JSON.parse(call.body).digest.sha256 !== sha256) return errorOf(400, 'INVALID_ARGUMENT')
      return {
        json: {
          signature: sign('sha256', bytes, key.pair.privateKey).toString('base64'),
          name,
          protectionLevel: 'HSM',
        },
      }
    }
    if (action === 'destroy') {
      if (key.state !== 'ENABLED') return errorOf(400, 'FAILED_PRECONDITION')
      key.state = 'DESTROY_SCHEDULED'
    }
    return { json: { ...version, state: key.state } }
  }
  return { ...(await startFakeApi(answerTo)), keys, tokens }
}

async function start(options: Parameters<typeof startKms>[0] = {}) {
  const kms = await startKms(options)
  const credentialsFile = join(newFolder(), 'account.json')
  const file = {
    type: 'service_account',
    client_email: 'signer@acme.iam.gserviceaccount.com',
    token_uri: 'https://elsewhere.example/token',
  }
  writeFileSync(
    credentialsFile,
    JSON.stringify({ ...file, private_key: account.privateKey.export({ format: 'pem', type: 'pkcs8' }) }),
  )
  const settings = { adapter: 'google-kms', keyRing, url: kms.url, tokenUrl: `${kms.url}/token`, credentialsFile }
  return { kms, settings, credentialsFile, ...openProvider(settings) }
}

test('a key of an HSM is made, and signs digests with one access token', async () => {
  const { kms, provider } = await start({ pendingLooks: 2 })
  const { handle, signer } = await newSigner(provider)
  expect(handle).toBe(`${keyRing}/cryptoKeys/trustwright-key-1/cryptoKeyVersions/1`)
  expect(await signer.sign(bytes)).toHaveLength(64)
  const made = kms.calls.find(({ path }) => path.includes('cryptoKeyId='))
  expect(JSON.parse(made!.body)).toEqual({
    purpose: 'ASYMMETRIC_SIGN',
    versionTemplate: { algorithm: 'EC_SIGN_P256_SHA256', protectionLevel: 'HSM' },
  })
  expect(kms.tokens).toHaveLength(1)
  expect(kms.calls.at(-1)?.headers.authorization).toBe('Bearer token-1')
  const { payload } = await jwtVerify(kms.tokens[0]!, account.publicKey, { audience: `${kms.url}/token` })
  expect(payload).toMatchObject({
    iss: 'signer@acme.iam.gserviceaccount.com',
    scope: 'https://www.googleapis.com/auth/cloudkms',
  })
  expect((await newSigner(provider)).handle).toBe(handle)
})

test('an access token is requested again shortly before it ends, and after it was refused', async () => {
  const { kms, settings } = await start()
  let at = new Date('2026-01-01T00:00:00Z')
  const { provider } = openProvider(settings, { now: () => at })
  await Promise.all([provider.check(), provider.check()])
  expect(kms.tokens).toHaveLength(1)
  at = new Date('2026-01-01T00:58:00Z')
  await provider.check()
  expect(kms.tokens).toHaveLength(1)
  at = new Date('2026-01-01T00:59:30Z')
  await provider.check()
  expect(kms.tokens).toHaveLength(2)

  let isRefused = true
  const refusing = await start({
    signature: ({ headers }) => {
      if (!isRefused) return errorOf(404, 'NOT_FOUND')
      isRefused = false
      return headers.authorization ? errorOf(401, 'UNAUTHENTICATED') : 'reset'
    },
  })
  const { signer } = await newSigner(refusing.provider)
  await expect(signer.sign(bytes)).rejects.toThrow('does not know the key')
  expect(refusing.kms.tokens.length).toBeGreaterThan(1)
})

test('enabled versions are listed over pages, and destroyed ones are not', async () => {
  const { provider } = await start()
  const [first, second] = [await newSigner(provider, 'ES256', 'key-1'), await newSigner(provider, 'ES256', 'key-2')]
  expect(await Array.fromAsync(provider.handles())).toEqual([first.handle, second.handle])
  await provider.destroy(first.handle)
  await provider.destroy(first.handle)
  expect(await Array.fromAsync(provider.handles())).toEqual([second.handle])
  await provider.destroy(`${keyRing}/cryptoKeys/unknown/cryptoKeyVersions/1`)
})

test.each<[string, FakeAnswer]>([
  [
    'of another key version',
    { json: { signature: 'MAYCAQECAQE=', name: `${keyRing}/cryptoKeys/other/cryptoKeyVersions/1` } },
  ],
  ['without a name', { json: { signature: 'MAYCAQECAQE=' } }],
  ['without a signature', { json: { name: `${keyRing}/cryptoKeys/trustwright-key-1/cryptoKeyVersions/1` } }],
])('an answer %s is refused', async (_, answer) => {
  const { provider } = await start({ signature: () => answer })
  const { signer } = await newSigner(provider)
  await expect(signer.sign(bytes)).rejects.toThrow(KeyProviderRefused)
})

test('a quota of Google gives a queue and not an error', async () => {
  let left = 3
  const { kms, provider } = await start({
    signature: () => (left-- > 0 ? errorOf(429, 'RESOURCE_EXHAUSTED') : errorOf(404, 'NOT_FOUND')),
  })
  const { signer } = await newSigner(provider)
  await expect(signer.sign(bytes)).rejects.toThrow('does not know the key')
  expect(kms.calls.filter(({ path }) => path.endsWith(':asymmetricSign'))).toHaveLength(4)
})

test('a credentials file that is not of a service account makes the provider unavailable, without its content', async () => {
  const { provider, credentialsFile } = await start()
  writeFileSync(credentialsFile, '{"private_key":"sesame"}')
  const error = await provider.check().catch((error: Error) => error)
  expect(error).toBeInstanceOf(KeyProviderUnavailable)
  expect(String(error)).toContain('credentialsFile is not the JSON file of a service account')
  expect(String(error)).not.toContain('sesame')
})

test('only ES256 is supported', async () => {
  const { provider } = await start()
  const algorithms = ['ES256', 'Ed25519', 'X25519', 'ECDH-ES'] as const
  expect(algorithms.filter((each) => provider.supports(each))).toEqual(['ES256'])
})
