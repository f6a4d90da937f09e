import { createPublicKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decodeBase32, encodeBase32 } from '../../shared/formats/base32.ts'
import { decodeCbor } from '../../shared/formats/cbor-decode.ts'
import { encodeCbor } from '../../shared/formats/cbor-encode.ts'
import { decodeCwtCredential, verifyCwtCredential } from '../../shared/formats/cwt-verify.ts'
import { compactCredential, passBytes, passes, passKey, passVc } from './cwt-credentials.ts'

// The examples were made for this day. The example "not yet active" has become active since.
const now = new Date('2021-12-01T00:00:00Z')

describe('NZ COVID Pass examples', () => {
  const verify = (name: keyof typeof passes) =>
    verifyCwtCredential(passes[name], createPublicKey({ key: passKey, format: 'jwk' }))

  test('the valid pass verifies and has the claims of its specification', () => {
    const { verified, credential } = verify('valid')
    expect(verified).toBe(true)
    expect(credential).toMatchObject({
      format: 'nzcp',
      kid: 'key-1',
      issuer: 'did:web:nzcp.covid19.health.nz',
      notBefore: new Date(1635883530_000),
      expiresAt: new Date(1951416330_000),
      credentialId: '60a4f54d-4e30-4332-be33-ad78b1eafa4b',
      claims: { vc: passVc },
    })
  })

  test('the encoder reproduces the bytes of the valid pass', () => {
    const base32 = passes.valid.slice('NZCP:/1/'.length)
    expect(decodeBase32(base32).toString('hex')).toBe(passBytes.toString('hex'))
    expect(encodeBase32(encodeCbor(decodeCbor(passBytes)))).toBe(base32)
  })

  test.each(['badPublicKey', 'modifiedSignature', 'modifiedPayload'] as const)('%s does not verify', (name) => {
    expect(verify(name).verified).toBe(false)
  })

  test('the verifier distinguishes a wrong key, an expired pass and an inactive pass', () => {
    expect(verify('publicKeyNotFound').credential.kid).not.toBe('key-1')
    expect(verify('expired').credential.expiresAt!.getTime()).toBeLessThan(now.getTime())
    expect(verify('notActive').credential.notBefore!.getTime()).toBeGreaterThan(now.getTime())
  })
})

test('the encoder reproduces a compact credential of another implementation', () => {
  expect(decodeCwtCredential(compactCredential)).toEqual({
    format: 'compact',
    kid: 'z12KiqLR',
    issuer: 'did:web:mattr-university.mattrlabs.co',
    issuedAt: new Date(1730230662_000),
    expiresAt: new Date(1800000000_000),
    credentialId: '37269815-0b57-4814-b909-ba056de72590',
    status: {
      index: 0,
      url: 'https://labs-mattr-university.vii.au01.mattr.global/core/v2/credentials/compact/revocation-lists/737c068f-4ec4-43f8-bc89-69e2614a3edf',
    },
    claims: { name: 'Emma Tasman', alumniOf: 'MATTR Labs University' },
  })
  const base32 = compactCredential.slice('CSC:/1/'.length)
  expect(encodeBase32(encodeCbor(decodeCbor(decodeBase32(base32))))).toBe(base32)
})
