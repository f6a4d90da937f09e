import { createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicJwk, publicKeyFromJwk } from '../../../shared/formats/jwk.ts'
import type { Token } from '../../../workers/signing/keys/pkcs11/open-token.ts'
import { KeyProviderRefused } from '../../../workers/signing/keys/provider.ts'
import { initializeToken, makeToken, type TestToken } from '../../harness/softhsm.ts'

const tags = { tags: 'pkcs11' as const }
const bytes = Buffer.from('bytes of a credential')
let made: TestToken
let token: Token

beforeAll(async () => {
  made = makeToken()
  token = await made.open()
})
afterAll(() => made[Symbol.asyncDispose]())

function pointOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

function verifies(key: KeyObject, algorithm: 'ES256' | 'Ed25519', signature: Buffer): boolean {
  if (algorithm === 'Ed25519') return verify(null, bytes, key, signature)
  return verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

test.for(['ES256', 'Ed25519'] as const)('a key of %s that the token generated signs', tags, async (algorithm) => {
  const label = `tenant/certificate/${algorithm}`
  const { handle, publicJwk: jwk } = await token.generateKeyPair({ algorithm, label, id: algorithm })
  const publicKey = publicKeyFromJwk(jwk)

  const signature = await token.sign({ handle, algorithm, publicKey }, bytes)

  expect(signature).toHaveLength(64)
  expect(verifies(createPublicKey({ key: { ...jwk }, format: 'jwk' }), algorithm, signature)).toBe(true)
  expect(handle).toContain('token=issuer%20one;')
  expect(await token.find(handle)).toEqual({ handle, algorithm, publicJwk: jwk })
})

test('100 signatures at once are those of their own bytes', tags, async () => {
  const key = await token.generateKeyPair({ algorithm: 'ES256', label: 'many', id: 'many' })
  const signing = { ...key, algorithm: 'ES256' as const, publicKey: publicKeyFromJwk(key.publicJwk) }
  const signatures = await Promise.all(
    Array.from({ length: 100 }, (_, at) => token.sign(signing, Buffer.from(`${at}`))),
  )
  expect(new Set(signatures.map((each) => each.toString('hex'))).size).toBe(100)
})

test(
  'a key agreement in the token has the result of RFC 5903: the x coordinate of the shared point',
  tags,
  async () => {
    const { handle, publicJwk: jwk } = await token.generateKeyPair({
      algorithm: 'ECDH-ES',
      label: 'agree',
      id: 'agree',
    })
    const peer = generateKeyPairSync('ec', { namedCurve: 'P-256' })

    const secret = await token.derive(handle, pointOf(peer.publicKey))

    expect(secret).toEqual(diffieHellman({ privateKey: peer.privateKey, publicKey: publicKeyFromJwk(jwk) }))
    expect(await token.find(handle)).toMatchObject({ algorithm: 'ECDH-ES' })
  },
)

test('a peer whose point is not on the curve is refused', tags, async () => {
  const { handle } = await token.generateKeyPair({ algorithm: 'ECDH-ES', label: 'invalid peer', id: 'peer' })
  const point = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)])
  await expect(token.derive(handle, point)).rejects.toThrow('not on the curve P-256')
  expect(made.lines).toEqual([])
})

test.for(['ES256', 'Ed25519'] as const)('an imported key of %s signs with its public key', tags, async (algorithm) => {
  const pair =
    algorithm === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
  const key = { algorithm, label: `imported ${algorithm}`, id: `imported ${algorithm}`, privateKey: pair.privateKey }

  const { handle, publicJwk: jwk } = await token.importKeyPair(key)

  expect(jwk).toEqual(publicJwk(pair.publicKey))
  const signature = await token.sign({ handle, algorithm, publicKey: pair.publicKey }, bytes)
  expect(verifies(pair.publicKey, algorithm, signature)).toBe(true)
})

test('a signature of another key than the service expects is not returned', tags, async () => {
  const { handle } = await token.generateKeyPair({ algorithm: 'ES256', label: 'other', id: 'other' })
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await expect(token.sign({ handle, algorithm: 'ES256', publicKey }, bytes)).rejects.toThrow('not the private key of')
})

test('a label and id that the token has already are refused, and the key stays', tags, async () => {
  const key = { algorithm: 'ES256' as const, label: 'twice', id: 'twice' }
  const first = await token.generateKeyPair(key)
  await expect(token.generateKeyPair(key)).rejects.toThrow('already has a key with the label twice')
  expect(await token.find(first.handle)).toEqual(first)
})

test('a destroyed key is gone, and can be destroyed again', tags, async () => {
  const { handle, publicJwk: jwk } = await token.generateKeyPair({ algorithm: 'ES256', label: 'gone', id: 'gone' })
  const key = { handle, algorithm: 'ES256' as const, publicKey: publicKeyFromJwk(jwk) }
  await token.sign(key, bytes)
  expect(await token.list()).toContain(handle)

  await token.destroy(handle)
  await token.destroy(handle)

  expect(await token.list()).not.toContain(handle)
  expect(await token.find(handle)).toBeUndefined()
  await expect(token.sign(key, bytes)).rejects.toThrow('The token has no key with the label gone')
})

test('a key that another process destroyed and made again is found again', tags, async () => {
  const key = { algorithm: 'ES256' as const, label: 'again', id: 'again' }
  const first = await token.generateKeyPair(key)
  await token.sign({ ...first, algorithm: 'ES256', publicKey: publicKeyFromJwk(first.publicJwk) }, bytes)
  const other = await made.open()

  await other.destroy(first.handle)
  const second = await other.generateKeyPair(key)

  await token.sign({ ...second, algorithm: 'ES256', publicKey: publicKeyFromJwk(second.publicJwk) }, bytes)
})

test('a handle that is no URI of a private key is refused', tags, async () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const key = { handle: 'pkcs11:object=a', algorithm: 'Ed25519' as const, publicKey }
  await expect(token.sign(key, bytes)).rejects.toThrow('is not the URI of a key')
})

test(
  'a library that is none, a token that is missing and a name of two tokens each end the start with one line',
  tags,
  async () => {
    const library = join(made.folder, 'text.so')
    writeFileSync(library, 'no library')
    await expect(made.open({ module: library })).rejects.toThrow(
      /^PKCS11_MODULE is .*text\.so, which is not a PKCS#11 library/,
    )
    await expect(made.open({ uri: 'pkcs11:token=absent' })).rejects.toThrow('the library shows no such token')
    await expect(made.open({ pinFile: join(made.folder, 'absent') })).rejects.toThrow('cannot be read (ENOENT)')
    initializeToken('double')
    initializeToken('double')
    await expect(made.open({ uri: 'pkcs11:token=double' })).rejects.toThrow('names 2 tokens. Add `serial`')
  },
)

test('a secret key of the token encrypts, and opens only what is unchanged', tags, async () => {
  const [associated, plaintext] = [Buffer.from('tenant and id'), Buffer.from('wrapped private key')]
  const handle = await token.makeSecretKey({ label: 'key encryption', id: 'key encryption' })
  expect(await token.makeSecretKey({ label: 'key encryption', id: 'key encryption' })).toBe(handle)
  const other = await token.makeSecretKey({ label: 'earlier', id: 'earlier' })
  expect(handle).toMatch(/^pkcs11:token=issuer%20one;id=[%\da-f]+;object=key%20encryption;type=secret-key$/)

  const sealed = await token.encrypt(handle, plaintext, associated)

  expect(sealed.includes(plaintext)).toBe(false)
  expect(await token.encrypt(handle, plaintext, associated)).not.toEqual(sealed)
  expect(await token.decrypt(handle, sealed, associated)).toEqual(plaintext)
  const changed = Buffer.from(sealed)
  changed[20]! ^= 1
  for (const wrong of [
    () => token.decrypt(handle, changed, associated),
    () => token.decrypt(handle, sealed, Buffer.from('other tenant')),
    () => token.decrypt(other, sealed, associated),
    () => token.decrypt(handle, Buffer.alloc(5), associated),
  ])
    await expect(wrong()).rejects.toThrow(KeyProviderRefused)
  expect(made.lines).toEqual([])
})

test('more keys than fit a page are listed, each once', tags, async () => {
  const handles: string[] = []
  for (let index = 0; index < 201; index++) {
    const key = { algorithm: 'Ed25519', label: 'of a page', id: `page ${index}` } as const
    handles.push((await token.generateKeyPair(key)).handle)
  }
  const listed = (await token.list()).filter((handle) => handle.includes('of%20a%20page'))
  expect(listed.sort()).toEqual(handles.sort())
})
