import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decodeBase32, encodeBase32 } from '../../shared/formats/base32.ts'
import { decodeCbor } from '../../shared/formats/cbor-decode.ts'
import { encodeCbor } from '../../shared/formats/cbor-encode.ts'
import { decodeCwtCredential, verifyCwtCredential } from '../../shared/formats/cwt-verify.ts'

const nzcp = '../shared/samples/nzcp/spec/examples'
const csc = '../shared/samples/csc/mattr-sample-csc.txt'
const read = (file: string) => readFileSync(file, 'utf8').trim()
// The examples were made for this day. The example "not yet active" has become active since.
const now = new Date('2021-12-01T00:00:00Z')

describe('NZ COVID Pass examples (needs ../shared/samples)', { tags: 'samples' }, () => {
  const verify = (name: string) => {
    const jwk = JSON.parse(read(`${nzcp}/valid/jwk.json`))
    return verifyCwtCredential(read(`${nzcp}/${name}.txt`), createPublicKey({ key: jwk, format: 'jwk' }))
  }

  test('the valid pass verifies and has the claims of its specification', () => {
    const { verified, credential } = verify('valid/nzcp')
    expect(verified).toBe(true)
    expect(credential).toMatchObject({
      format: 'nzcp',
      kid: 'key-1',
      issuer: 'did:web:nzcp.covid19.health.nz',
      credentialId: '60a4f54d-4e30-4332-be33-ad78b1eafa4b',
      claims: { vc: JSON.parse(read(`${nzcp}/valid/nzcp.json`)).vc },
    })
    expect(credential.notBefore!.getTime()).toBeLessThan(now.getTime())
    expect(credential.expiresAt!.getTime()).toBeGreaterThan(now.getTime())
  })

  test('the encoder reproduces the bytes of the valid pass', () => {
    const text = read(`${nzcp}/valid/nzcp.txt`)
    const cose = decodeBase32(text.slice('NZCP:/1/'.length))
    expect(cose.toString('hex')).toBe(read(`${nzcp}/valid/nzcp-cwt-hex.txt`))
    expect(encodeBase32(encodeCbor(decodeCbor(cose)))).toBe(text.slice('NZCP:/1/'.length))
  })

  test.each(['bad-public-key', 'modified-payload', 'modified-sig'])('%s does not verify', (name) => {
    expect(verify(`invalid/nzcp-${name}`).verified).toBe(false)
  })

  test('the verifier distinguishes a wrong key, an expired pass and an inactive pass', () => {
    expect(verify('invalid/nzcp-not-associated-public-key').credential.kid).not.toBe('key-1')
    expect(verify('invalid/nzcp-expired-payload').credential.expiresAt!.getTime()).toBeLessThan(now.getTime())
    expect(verify('invalid/nzcp-notactive-payload').credential.notBefore!.getTime()).toBeGreaterThan(now.getTime())
  })
})

test('the encoder reproduces the public compact sample (needs ../shared/samples)', { tags: 'samples' }, () => {
  const text = read(csc)
  expect(decodeCwtCredential(text)).toEqual({
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
  expect(encodeBase32(encodeCbor(decodeCbor(decodeBase32(text.slice(7)))))).toBe(text.slice(7))
})
