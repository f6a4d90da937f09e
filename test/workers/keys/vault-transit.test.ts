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

const bytes = Buffer.from('what is signed')
const digest = createHash('sha256').update(bytes).digest('base64')
const errorOf = (status: number): FakeAnswer => ({ status, json: { errors: status === 404 ? [] : ['sesame'] } })

interface Key {
  type: string
  pair: KeyPairKeyObjectResult
  isDeletable: boolean
}

/** Vault with the answers of the API reference of its Transit secrets engine. */
async function startVault(overrides: { signature?: string; key?: object } = {}) {
  const keys = new Map<string, Key>()
  const answerTo = (call: ApiCall): FakeAnswer => {
    if (call.headers['x-vault-token'] !== 'token-of-vault') return errorOf(403)
    const { pathname } = new URL(call.path, 'http://vault')
    if (pathname === '/v1/auth/token/lookup-self') return { json: { data: { id: 'sesame', ttl: 3600 } } }
    const [, operation, name = '', option] = /^\/v1\/pki\/transit\/(\w+)\/?([^/]*)\/?(.*)$/.exec(pathname) ?? []
    const body = call.body === '' ? {} : JSON.parse(call.body)
    const key = keys.get(name)
    if (operation === 'keys' && name === '') {
      return keys.size === 0 ? errorOf(404) : { json: { data: { keys: [...keys.keys()] }, lease_duration: 0 } }
    }
    if (call.method === 'POST' && operation === 'keys' && option === '') {
      if (!/^\w(([\w-.]+)?\w)?$/.test(name)) return errorOf(404)
      const pair =
        body.type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' })
      if (!key) keys.set(name, { type: body.type, pair, isDeletable: false })
      return { json: { data: { name, type: body.type }, warnings: key ? ['key already existed'] : null } }
    }
    if (!key) return operation === 'keys' && call.method === 'GET' ? errorOf(404) : errorOf(400)
    if (operation === 'sign') {
      const isValid =
        option === 'sha2-256'
          ? body.input === digest && body.prehashed && body.marshaling_algorithm === 'jws'
          : body.input === bytes.toString('base64')
      if (!isValid || body.key_version !== 1) return errorOf(400)
      const signature = overrides.signature ?? `vault:v1:${signatureBy(key)}`
      return {
        json: {
          request_id: 'fc4a',
          lease_id: '',
          renewable: false,
          lease_duration: 0,
          data: { signature, key_version: 1 },
        },
      }
    }
    if (option === 'config') {
      key.isDeletable = body.deletion_allowed
      return { status: 204 }
    }
    if (call.method === 'DELETE') {
      if (!key.isDeletable) return errorOf(400)
      keys.delete(name)
      return { status: 204 }
    }
    const data = {
      name,
      type: key.type,
      deletion_allowed: false,
      exportable: false,
      latest_version: 1,
      keys: { 1: publicPartOf(key) },
    }
    return { json: { data: { ...data, ...overrides.key } } }
  }
  return { ...(await startFakeApi(answerTo)), keys }
}

function signatureBy({ type, pair }: Key): string {
  if (type === 'ed25519') return sign(null, bytes, pair.privateKey).toString('base64')
  return sign('sha256', bytes, { key: pair.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')
}

function publicPartOf({ type, pair: { publicKey } }: Key): object {
  const jwk = publicKey.export({ format: 'jwk' })
  const creation_time = '2026-01-01T00:00:00.000000000Z'
  if (type === 'ed25519')
    return { creation_time, name: 'ed25519', public_key: Buffer.from(jwk.x!, 'base64url').toString('base64') }
  return { creation_time, name: 'P-256', public_key: publicKey.export({ format: 'pem', type: 'spki' }) }
}

async function start(overrides: Parameters<typeof startVault>[0] = {}) {
  const vault = await startVault(overrides)
  const tokenFile = join(newFolder(), 'token')
  writeFileSync(tokenFile, 'token-of-vault\n')
  const settings = { adapter: 'vault-transit', url: vault.url, tokenFile, mount: 'pki/transit', namespace: 'acme/' }
  return { vault, tokenFile, settings, ...openProvider(settings) }
}

test.each([
  ['ES256', 'ecdsa-p256'],
  ['Ed25519', 'ed25519'],
] as const)('a key of %s is made and signs', async (algorithm, type) => {
  const { vault, provider } = await start()
  await provider.check()
  const { handle, signer } = await newSigner(provider, algorithm, 'key-')
  expect(handle).toBe('trustwright-key--key')
  expect(await signer.sign(bytes)).toHaveLength(64)
  const made = vault.calls.find(({ method }) => method === 'POST')
  expect(JSON.parse(made!.body)).toEqual({ type, exportable: false, allow_plaintext_backup: false })
  expect(made?.headers).toMatchObject({ 'x-vault-token': 'token-of-vault', 'x-vault-namespace': 'acme/' })
  expect((await newSigner(provider, algorithm, 'key-')).handle).toBe(handle)
  expect(vault.keys.size).toBe(1)
})

test('keys of the prefix are listed, and a destroyed key is gone', async () => {
  const { vault, provider } = await start()
  expect(await Array.fromAsync(provider.handles())).toEqual([])
  const [first, second] = [await newSigner(provider, 'ES256', 'key-1'), await newSigner(provider, 'ES256', 'key-2')]
  vault.keys.set('of-another', vault.keys.get(first.handle)!)
  expect(await Array.fromAsync(provider.handles())).toEqual([first.handle, second.handle])
  await provider.destroy(first.handle)
  await provider.destroy(first.handle)
  expect(await Array.fromAsync(provider.handles())).toEqual([second.handle])
  await expect(first.signer.sign(bytes)).rejects.toThrow(KeyProviderRefused)
})

test.each([
  ['of another version', 'vault:v2:AAAA'],
  ['without a prefix', 'AAAA'],
  ['in standard base64', `vault:v1:${'+'.repeat(86)}`],
  ['of zeros', `vault:v1:${Buffer.alloc(64).toString('base64url')}`],
])('a signature %s is refused', async (_, signature) => {
  const { provider } = await start({ signature })
  const { signer } = await newSigner(provider)
  await expect(signer.sign(bytes)).rejects.toThrow(KeyProviderRefused)
})

test.each([
  ['of another type', { type: 'ed25519' }],
  ['without its first version', { keys: { 2: {} } }],
  [
    'that is a private key',
    {
      keys: {
        1: {
          public_key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
            format: 'pem',
            type: 'pkcs8',
          }),
        },
      },
    },
  ],
])('a key %s is refused', async (_, key) => {
  const { provider } = await start({ key })
  await expect(newSigner(provider)).rejects.toThrow(KeyProviderRefused)
})

test('an expired token makes the provider unavailable, and the error has neither token nor answer', async () => {
  const { provider, settings, tokenFile, lines } = await start()
  await provider.check()
  writeFileSync(tokenFile, 'expired-token')
  const other = openProvider(settings)
  const error = await other.provider.check().catch((error: Error) => error)
  expect(error).toBeInstanceOf(KeyProviderUnavailable)
  expect(`${error} ${JSON.stringify([lines, other.lines])}`).not.toMatch(/sesame|-token|token-of/)
})

test('ES256 and Ed25519 are supported', async () => {
  const { provider } = await start()
  const algorithms = ['ES256', 'Ed25519', 'X25519', 'ECDH-ES'] as const
  expect(algorithms.filter((each) => provider.supports(each))).toEqual(['ES256', 'Ed25519'])
})
