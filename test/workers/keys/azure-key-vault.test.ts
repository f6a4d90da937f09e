import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

const directoryId = '11111111-2222-3333-4444-555555555555'
const version = '78deebed173b48e48f55abf87ed4cf71'
const bytes = Buffer.from('what is signed')
const digest = createHash('sha256').update(bytes).digest('base64url')
/** An error, as `KeyVaultError` of the REST reference describes. */
const errorOf = (status: number, code: string): FakeAnswer => ({ status, json: { error: { code, message: 'sesame' } } })

interface Overrides {
  sign?: (call: ApiCall, kid: string) => FakeAnswer
  create?: () => FakeAnswer
  token?: () => FakeAnswer
}

/** Azure Key Vault with the answers of its REST reference, version 7.4, and the token endpoint of Microsoft Entra ID. */
async function startVault(overrides: Overrides = {}) {
  const keys = new Map<string, KeyPairKeyObjectResult>()
  const forms: URLSearchParams[] = []
  let base = ''
  const bundle = (name: string, { publicKey }: KeyPairKeyObjectResult) => ({
    key: {
      kid: `${base}/keys/${name}/${version}`,
      key_ops: ['sign'],
      ...publicKey.export({ format: 'jwk' }),
      kty: 'EC-HSM',
    },
    attributes: { enabled: true, created: 1493942451, updated: 1493942451, recoveryLevel: 'Recoverable+Purgeable' },
    tags: {},
  })
  const answerTo = (call: ApiCall): FakeAnswer => {
    const url = new URL(call.path, 'http://vault')
    if (url.pathname === `/${directoryId}/oauth2/v2.0/token`) {
      forms.push(new URLSearchParams(call.body))
      return overrides.token?.() ?? { json: { token_type: 'Bearer', expires_in: 3599, access_token: 'token-of-azure' } }
    }
    if (url.searchParams.get('api-version') !== '7.4') return errorOf(400, 'BadParameter')
    if (call.headers.authorization !== 'Bearer token-of-azure') return errorOf(401, 'Unauthorized')
    const [, , name = '', operation = '', last] = url.pathname.split('/')
    const key = keys.get(name)
    if (name === '') {
      const page = [...keys.keys()].map((each) => ({ kid: `${base}/keys/${each}`, attributes: { enabled: true } }))
      const isSecond = url.searchParams.has('$skiptoken')
      const value = isSecond ? page.slice(1) : page.slice(0, 1)
      return {
        json: { value, nextLink: isSecond ? null : `${base}/keys?api-version=7.4&$skiptoken=next&maxresults=25` },
      }
    }
    if (operation === 'create') {
      if (overrides.create) return overrides.create()
      keys.set(name, generateKeyPairSync('ec', { namedCurve: 'P-256' }))
      return { json: bundle(name, keys.get(name)!) }
    }
    if (!key) return errorOf(404, 'KeyNotFound')
    const kid = `${base}/keys/${name}/${version}`
    if (operation === 'versions') return { json: { value: [{ kid, attributes: { enabled: true } }], nextLink: null } }
    if (last === 'sign') {
      if (overrides.sign) return overrides.sign(call, kid)
      const { alg, value } = JSON.parse(call.body)
      if (alg !== 'ES256' || value !== digest) return errorOf(400, 'BadParameter')
      return {
        json: {
          kid,
          value: sign('sha256', bytes, { key: key.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
        },
      }
    }
    if (call.method === 'DELETE') {
      keys.delete(name)
      return {
        json: { ...bundle(name, key), recoveryId: `${base}/deletedkeys/${name}`, scheduledPurgeDate: 1493942451 },
      }
    }
    return { json: bundle(name, key) }
  }
  const api = await startFakeApi(answerTo)
  base = api.url
  return { ...api, keys, forms }
}

async function start(overrides: Overrides = {}) {
  const vault = await startVault(overrides)
  const clientSecretFile = join(newFolder(), 'secret')
  writeFileSync(clientSecretFile, 'secret-of-client\n')
  const client = { directoryId, clientId: '99999999-2222-3333-4444-555555555555', clientSecretFile }
  const settings = { adapter: 'azure-key-vault', url: vault.url, loginUrl: vault.url, ...client }
  return { vault, ...openProvider(settings) }
}

test('a key of an HSM is made once, and signs digests', async () => {
  const { vault, provider } = await start()
  const { handle, signer } = await newSigner(provider)
  expect(handle).toBe(`trustwright-${Buffer.from('key-1').toString('hex')}/${version}`)
  expect(await signer.sign(bytes)).toHaveLength(64)
  expect(Object.fromEntries(vault.forms[0]!)).toEqual({
    grant_type: 'client_credentials',
    client_id: '99999999-2222-3333-4444-555555555555',
    client_secret: 'secret-of-client',
    scope: 'https://vault.azure.net/.default',
  })
  expect(vault.forms).toHaveLength(1)
  const create = vault.calls.find(({ path }) => path.includes('/create?'))
  expect(JSON.parse(create!.body)).toEqual({
    kty: 'EC-HSM',
    crv: 'P-256',
    key_ops: ['sign'],
    tags: { label: 'label of key-1' },
  })
  expect((await newSigner(provider)).handle).toBe(handle)
  expect(vault.calls.filter(({ path }) => path.includes('/create?'))).toHaveLength(1)
})

test('keys are listed with their versions over pages, and a destroyed key is listed no more', async () => {
  const { provider, vault } = await start()
  const [first, second] = [await newSigner(provider, 'ES256', 'key-1'), await newSigner(provider, 'ES256', 'key_2')]
  vault.keys.set('of-another', generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  expect(await Array.fromAsync(provider.handles())).toEqual([first.handle, second.handle])
  await provider.destroy(first.handle)
  await provider.destroy(first.handle)
  expect(await Array.fromAsync(provider.handles())).toEqual([second.handle])
  await expect(first.signer.sign(bytes)).rejects.toThrow('does not know the key')
})

test.each<[string, (kid: string) => FakeAnswer]>([
  ['of another key', (kid) => ({ json: { kid: kid.replace('trustwright', 'other'), value: 'AAAA' } })],
  ['of another vault', (kid) => ({ json: { kid: kid.replace('127.0.0.1', 'vault.example'), value: 'AAAA' } })],
  ['without a value', (kid) => ({ json: { kid } })],
  ['with padding', (kid) => ({ json: { kid, value: 'AAA=' } })],
  ['of zeros', (kid) => ({ json: { kid, value: Buffer.alloc(64).toString('base64url') } })],
])('a signature %s is refused', async (_, answerTo) => {
  const { provider } = await start({ sign: (_call, kid) => answerTo(kid) })
  const { signer } = await newSigner(provider)
  await expect(signer.sign(bytes)).rejects.toThrow(KeyProviderRefused)
})

test('a key that may have been made is not made twice', async () => {
  const { provider, vault } = await start({ create: () => 'reset' })
  await expect(newSigner(provider)).rejects.toThrow(KeyProviderUnavailable)
  expect(vault.calls.filter(({ path }) => path.includes('/create?'))).toHaveLength(1)
})

test.each<[string, FakeAnswer]>([
  ['refuses the secret', { status: 401, json: { error: 'invalid_client', error_description: 'sesame' } }],
  ['returns no lifetime', { json: { access_token: 'token-of-azure' } }],
])('a token endpoint that %s makes the provider unavailable, without secrets in the error', async (_, answer) => {
  const { provider, lines } = await start({ token: () => answer })
  const error = await provider.check().catch((error: Error) => error)
  expect(error).toBeInstanceOf(KeyProviderUnavailable)
  expect(String(error)).toContain('the token endpoint answers')
  expect(`${error} ${JSON.stringify(lines)}`).not.toMatch(/sesame|secret-of-client|token-of-azure/)
})

test('a link to another server is not followed', async () => {
  const api = await startFakeApi(({ path }) =>
    path.includes('/token')
      ? { json: { expires_in: 3599, access_token: 'token-of-azure' } }
      : { json: { value: [], nextLink: 'https://elsewhere.example/keys' } },
  )
  const clientSecretFile = join(newFolder(), 'secret')
  writeFileSync(clientSecretFile, 'secret')
  const settings = {
    adapter: 'azure-key-vault',
    url: api.url,
    loginUrl: api.url,
    directoryId,
    clientId: 'client',
    clientSecretFile,
  }
  const { provider } = openProvider(settings)
  await expect(Array.fromAsync(provider.handles())).rejects.toThrow(
    'The URL is not allowed: it must be in the settings',
  )
})

test('only ES256 is supported', async () => {
  const { provider } = await start()
  const algorithms = ['ES256', 'Ed25519', 'X25519', 'ECDH-ES'] as const
  expect(algorithms.filter((each) => provider.supports(each))).toEqual(['ES256'])
})
