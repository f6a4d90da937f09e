import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { noteKeyId, openCheckpoint, signCheckpoint } from '../../../shared/formats/checkpoint.ts'
import { testSigner } from '../../harness/test-signer.ts'

const key = generateKeyPairSync('ed25519')
const root = Buffer.alloc(32, 7)
const checkpoint = { origin: 'agency.example/v1/audit', size: 20_852_163, root }

test('a signed checkpoint opens with its key, and with no other key, name or content', async () => {
  const note = await signCheckpoint(checkpoint, testSigner(key))
  expect(note).toMatch(
    /^agency\.example\/v1\/audit\n20852163\n[\w+/]{43}=\n\n— agency\.example\/v1\/audit [\w+/]{90,92}={0,2}\n$/,
  )
  expect(openCheckpoint(note, [generateKeyPairSync('ed25519').publicKey, key.publicKey])).toEqual(checkpoint)
  expect(openCheckpoint(note, [generateKeyPairSync('ed25519').publicKey])).toBeUndefined()
  expect(openCheckpoint(note, [])).toBeUndefined()
  for (const [from, to] of [
    ['20852163', '20852164'],
    ['20852163', '020852163'],
    ['agency', 'other'],
    ['\n\n', '\nextension\n\n'],
    ['— agency', '- agency'],
    [root.toString('base64'), Buffer.alloc(32, 8).toString('base64')],
    [root.toString('base64'), Buffer.alloc(31, 7).toString('base64')],
  ] as const)
    expect(openCheckpoint(note.replace(from, to), [key.publicKey])).toBeUndefined()
})

test('the key id of the Go checksum database is that of its published verifier key', () => {
  const [name, keyId, typed = ''] = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8'.split(
    /\+(.{8})\+/,
  )
  const x = Buffer.from(typed, 'base64').subarray(1).toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  expect(noteKeyId(name!, publicKey).toString('hex')).toBe(keyId)
})
