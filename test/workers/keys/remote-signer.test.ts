import { createPublicKey, diffieHellman, generateKeyPairSync, verify } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { base64url, flattenedVerify } from 'jose'
import { expect, test } from 'vitest'
import { KeyProviderRefused, KeyProviderUnavailable } from '../../../workers/signing/keys/provider.ts'
import { eventually } from '../../harness/harness.ts'
import {
  makePki,
  newFolder,
  newSigner,
  openProvider,
  startReferenceSigner,
  tenantId,
} from '../../servers/remote-signer.ts'

const bytes = Buffer.from('what is signed')

async function all(handles: AsyncIterable<string>): Promise<string[]> {
  return (await Array.fromAsync(handles)).sort()
}

test('keys of the reference server sign, and jose verifies the signatures', async () => {
  const { url, tokenFile } = await startReferenceSigner()
  const { provider } = openProvider({ adapter: 'remote-signer', url, tokenFile })
  await provider.check()
  for (const [algorithm, id] of [
    ['ES256', 'one'],
    ['Ed25519', 'two'],
  ] as const) {
    const { signer, publicKey } = await newSigner(provider, algorithm, id)
    const header = base64url.encode(JSON.stringify({ alg: algorithm }))
    const payload = base64url.encode(bytes)
    const signature = base64url.encode(await signer.sign(Buffer.from(`${header}.${payload}`)))
    const verified = await flattenedVerify({ protected: header, payload, signature }, publicKey)
    expect(Buffer.from(verified.payload)).toEqual(bytes)
  }
})

test.each([
  ['X25519', () => generateKeyPairSync('x25519')],
  ['ECDH-ES', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
] as const)('a key of %s derives the secret that the other party derives', async (algorithm, newPeer) => {
  const { url, tokenFile } = await startReferenceSigner()
  const { provider } = openProvider({ adapter: 'remote-signer', url, tokenFile })
  const { handle, publicJwk } = await provider.generate({
    id: 'key',
    tenantId,
    purpose: 'did',
    label: 'label',
    algorithm,
  })
  const publicKey = createPublicKey({ key: { ...publicJwk }, format: 'jwk' })
  const peer = newPeer()
  const agreement = provider.agreement({ id: 'key', tenantId, algorithm, publicKey, handle })
  expect(await agreement.derive(peer.publicKey)).toEqual(diffieHellman({ privateKey: peer.privateKey, publicKey }))
  const other =
    algorithm === 'X25519' ? generateKeyPairSync('ed25519').publicKey : generateKeyPairSync('x25519').publicKey
  await expect(agreement.derive(other)).rejects.toThrow('is not of')
})

test('a repeated request makes one key, which is listed until it is destroyed', async () => {
  const { url, tokenFile } = await startReferenceSigner()
  const { provider } = openProvider({ adapter: 'remote-signer', url, tokenFile })
  const key = { id: 'key-1', tenantId, purpose: 'did', label: 'label', algorithm: 'ES256' } as const
  const [first, second] = await Promise.all([provider.generate(key), provider.generate(key)])
  const other = await provider.generate({ ...key, id: 'key-2' })
  expect(second).toEqual(first)
  expect(await all(provider.handles())).toEqual([first.handle, other.handle].sort())
  await expect(provider.generate({ ...key, algorithm: 'Ed25519' })).rejects.toThrow(KeyProviderRefused)

  const { signer } = await newSigner(provider)
  await provider.destroy(first.handle)
  await provider.destroy(first.handle)
  expect(await all(provider.handles())).toEqual([other.handle])
  await expect(signer.sign(bytes)).rejects.toThrow('does not know the key')
})

test('more keys than one page are listed', async () => {
  const { url, tokenFile } = await startReferenceSigner()
  const { provider } = openProvider({ adapter: 'remote-signer', url, tokenFile, limits: { callsPerSecond: 10_000 } })
  const key = { tenantId, purpose: 'did', label: 'label', algorithm: 'Ed25519' } as const
  const keys = await Promise.all(
    Array.from({ length: 101 }, (_, index) => provider.generate({ ...key, id: `key-${index}` })),
  )
  expect(await all(provider.handles())).toEqual(keys.map(({ handle }) => handle).sort())
})

test('after the server was killed, calls fail at once, and its keys sign again when it is back', async () => {
  const server = await startReferenceSigner()
  const { provider, lines } = openProvider({ adapter: 'remote-signer', url: server.url, tokenFile: server.tokenFile })
  const { signer, publicKey } = await newSigner(provider)
  await server.stop()
  await eventually(async () => {
    await expect(signer.sign(bytes)).rejects.toThrow(KeyProviderUnavailable)
    return lines.length > 0
  })
  await expect(provider.check()).rejects.toThrow(KeyProviderUnavailable)
  await server.start()
  const signature = await eventually(() => signer.sign(bytes).catch(() => undefined))
  expect(verify('sha256', bytes, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true)
  expect(lines.map(({ msg, provider }) => [msg, provider])).toEqual([
    ['key provider is not available', 'remote:test'],
    ['key provider is available again', 'remote:test'],
  ])
})

test('a wrong token makes the provider unavailable, and a replaced token file is read without a restart', async () => {
  const { url, tokenFile } = await startReferenceSigner()
  const ours = join(newFolder(), 'token')
  writeFileSync(ours, 'wrong-token')
  const { provider, lines } = openProvider({ adapter: 'remote-signer', url, tokenFile: ours })
  await expect(newSigner(provider)).rejects.toThrow('refuses the credentials or their permissions (status 401)')
  await eventually(async () => lines.length === 1)
  writeFileSync(ours, 'first-token\n')
  await eventually(() => newSigner(provider).catch(() => undefined))
  expect(JSON.stringify(lines)).not.toMatch(/(first|wrong)-token/)
  expect(tokenFile).not.toBe(ours)
})

test('with mutual TLS the server accepts the certificate of the client, and a replaced certificate is used', async () => {
  const pki = makePki()
  const { url } = await startReferenceSigner({
    TLS_CERT: pki.server.cert,
    TLS_KEY: pki.server.key,
    TLS_CLIENT_CA: pki.ca.cert,
    TOKEN_FILE: '',
  })
  const [cert, key] = [join(newFolder(), 'cert'), join(newFolder(), 'key')]
  pki.copy(pki.stranger, cert, key)
  const tls = { caFile: pki.ca.cert, certificateFile: cert, keyFile: key }
  const { provider } = openProvider({ adapter: 'remote-signer', url, tls })
  await expect(provider.check()).rejects.toThrow(KeyProviderUnavailable)
  pki.copy(pki.client, cert, key)
  await eventually(() => newSigner(provider).catch(() => undefined))

  const withoutCa = openProvider({ adapter: 'remote-signer', url, tls: { certificateFile: cert, keyFile: key } })
  await expect(withoutCa.provider.check()).rejects.toThrow('The TLS connection failed')
})
