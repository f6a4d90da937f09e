import 'reflect-metadata'
import { SubjectAlternativeNameExtension } from '@peculiar/x509'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { base64Of, type Certified, newCertificate, pemOf } from '../../certificates/certificates.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'

// A verification states whose certificate signed. The claim iss is proven only by a name of this certificate.

let service: SharedService
let root: Certified
beforeAll(async () => {
  service = await joinService()
  root = await newCertificate({ name: 'Root', ca: true })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const names = [
  { type: 'url', value: 'https://first.example/issuer' },
  { type: 'dns', value: 'second.example' },
] as const

async function verified(iss: unknown, extensions = [new SubjectAlternativeNameExtension([...names])]) {
  const leaf = await newCertificate({ name: 'Signer', issuer: root, extensions })
  const claims = { vct: 'urn:example:card', given_name: 'Ada', ...(iss !== undefined && { iss }) }
  const header = { alg: 'ES256', typ: 'dc+sd-jwt', x5c: [base64Of(leaf)] }
  // Boundary: the library types iss as a text.
  const jwt = await new SignJWT(claims as never).setProtectedHeader(header).sign(leaf.keys.privateKey)
  const request = { payload: `${jwt}~`, trustedIssuers: [pemOf(root)] }
  const { body } = await service.operator.post('/v2/credentials/sd-jwt/verify', request)
  return body
}

test('the subject, the fingerprint and the names of the certificate are in the answer', async () => {
  const { verified: isVerified, issuer, claims } = await verified(undefined)
  expect([isVerified, issuer]).toEqual([
    true,
    {
      subject: 'CN=Signer',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      names: names.map(({ value }) => value),
    },
  ])
  expect(claims).toEqual({ vct: 'urn:example:card', given_name: 'Ada' })
})

test.each(['https://first.example/issuer', 'https://second.example', 'https://second.example/issuer'])(
  '%s is proven and stays a claim',
  async (iss) => {
    expect(await verified(iss)).toMatchObject({
      verified: true,
      claims: { iss },
      issuer: { iss: { value: iss, isProven: true } },
    })
  },
)

test.each([
  'https://another.example',
  'https://first.example',
  'https://first.example/issuer/',
  'http://second.example',
  'https://second.example.another.example',
  'second.example.',
  'did:example:1',
  7,
])('%s is not proven and no claim', async (iss) => {
  const { claims, issuer } = await verified(iss)
  expect(claims).toEqual({ vct: 'urn:example:card', given_name: 'Ada' })
  expect(issuer.iss).toEqual({ value: iss, isProven: false })
})

test('a certificate without names proves no iss', async () => {
  const { claims, issuer } = await verified('https://second.example', [])
  expect(claims).not.toHaveProperty('iss')
  expect(issuer).toMatchObject({ names: [], iss: { isProven: false } })
})
