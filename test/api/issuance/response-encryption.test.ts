import { compactDecrypt, exportJWK, generateKeyPair, type JWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { encryptedResponse } from '../../../api/issuance/credential/response-encryption.ts'
import { defaultSettings } from '../../../db/tables/tenancy/tenants.ts'

// The encryption of responses. test/flows/encryption.test.ts has the encryption of both directions over HTTP.

const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { extractable: true })
const bare = await exportJWK(publicKey)
const jwk = { ...bare, alg: 'ECDH-ES' }
const requestParameters = { jwk, enc: 'A128GCM' }

type Encryption = (typeof defaultSettings)['encryption']

function encryptionFor(
  parameters: unknown,
  { isEncrypted = true, ...required }: Partial<Encryption & { isEncrypted: boolean }> = {},
) {
  const encryption = { ...defaultSettings.encryption, ...required }
  const tenant = { settings: { ...defaultSettings, encryption } } as never
  return encryptedResponse({ tenant, isEncrypted }, parameters)
}

const refusal = (message: string) => ({ problem: 'invalid_encryption_parameters', message })

/** Returns the header and the content of an encrypted response. */
async function opened(parameters: unknown) {
  const encryption = encryptionFor(parameters)
  const jwe = await encryption?.make({ credentials: ['Zoë'] }, {} as never)
  const { plaintext, protectedHeader } = await compactDecrypt(String(jwe), privateKey)
  const { epk, ...header } = protectedHeader
  return { type: encryption?.type, header, content: JSON.parse(Buffer.from(plaintext).toString()) }
}

describe('a response is encrypted', () => {
  const content = { credentials: ['Zoë'] }

  test.each(['A128GCM', 'A256GCM', 'A128CBC-HS256'])('with %s for the key of the request', async (enc) => {
    const header = { alg: 'ECDH-ES', enc }
    expect(await opened({ jwk, enc })).toEqual({ type: 'application/jwt', header, content })
  })

  test.each(['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW'])('by %s', async (alg) => {
    const header = { alg, enc: 'A128GCM' }
    expect(await opened({ ...requestParameters, jwk: { ...bare, alg } })).toMatchObject({ header, content })
  })

  test('with the kid and the compression of the request', async () => {
    const kid = 'k'.repeat(500)
    const header = { alg: 'ECDH-ES', enc: 'A128GCM', kid, zip: 'DEF' }
    expect(await opened({ ...requestParameters, jwk: { ...jwk, kid, use: 'enc' }, zip: 'DEF' })).toMatchObject({
      header,
      content,
    })
  })

  test('and ignores unknown members', async () => {
    const parameters = { ...requestParameters, jwk: { ...jwk, ext: true }, alg: 'RSA1_5' }
    expect(await opened(parameters)).toMatchObject({ header: { alg: 'ECDH-ES', enc: 'A128GCM' }, content })
  })
})

describe('a plain response', () => {
  test.each([true, false])(
    'is returned if the request does not ask for encryption (request encrypted: %s)',
    (isEncrypted) => {
      expect(encryptionFor(undefined, { isEncrypted })).toBeUndefined()
    },
  )

  test('is refused if the tenant requires encrypted responses', () => {
    const required = { requestRequired: true, responseRequired: true }
    expect(() => encryptionFor(undefined, required)).toThrow(
      expect.objectContaining(refusal('credential_response_encryption is missing')),
    )
    expect(encryptionFor(requestParameters, required)).toBeDefined()
  })
})

describe('a plain request', () => {
  test('is refused if the tenant requires encrypted requests, whatever response it asks for', () => {
    for (const parameters of [undefined, requestParameters]) {
      expect(() => encryptionFor(parameters, { requestRequired: true, isEncrypted: false })).toThrow(
        expect.objectContaining(refusal('The request must be encrypted')),
      )
    }
    expect(encryptionFor(undefined, { requestRequired: true })).toBeUndefined()
  })

  test('cannot ask for an encrypted response', () => {
    expect(() => encryptionFor(requestParameters, { isEncrypted: false })).toThrow(
      expect.objectContaining(refusal('A request for an encrypted response must be encrypted itself')),
    )
  })
})

describe('invalid parameters are refused by name:', () => {
  const whole = 'credential_response_encryption'
  const { alg, ...withoutAlg } = jwk
  const cases: [string, unknown, string][] = [
    ['no object', 'yes', whole],
    ['null', null, whole],
    ['no members', {}, `${whole}.jwk, ${whole}.enc`],
    ['an unknown enc', { jwk, enc: 'A192GCM' }, `${whole}.enc`],
    ['an unknown zip', { ...requestParameters, zip: 'GZIP' }, `${whole}.zip`],
    ['a JWK without alg', { ...requestParameters, jwk: withoutAlg }, `${whole}.jwk.alg`],
    ['a JWK of RSA', { ...requestParameters, jwk: { ...jwk, alg: 'RSA-OAEP' } }, `${whole}.jwk.alg`],
    ['a JWK for signatures', { ...requestParameters, jwk: { ...jwk, use: 'sig' } }, `${whole}.jwk.use`],
    ['a kid that is a number', { ...requestParameters, jwk: { ...jwk, kid: 7 } }, `${whole}.jwk.kid`],
    ['a long kid', { ...requestParameters, jwk: { ...jwk, kid: 'k'.repeat(501) } }, `${whole}.jwk.kid`],
  ]
  test.each(cases)('%s', (_what, parameters, names) => {
    expect(() => encryptionFor(parameters)).toThrow(expect.objectContaining(refusal(`Invalid: ${names}`)))
  })
})

describe('a key that is not a public key for encryption is refused:', async () => {
  const signing = await generateKeyPair('EdDSA', { extractable: true })
  const keys: [string, JWK][] = [
    ['a private key', await exportJWK(privateKey)],
    ['a key of Ed25519', await exportJWK(signing.publicKey)],
    ['a symmetric key', { kty: 'oct', k: 'AAAA' }],
    ['a point of low order', { kty: 'OKP', crv: 'X25519', x: 'A'.repeat(43) }],
    ['a point that is not on its curve', { ...bare, y: 'A'.repeat(43) }],
  ]
  test.each(keys)('%s', (_what, key) => {
    expect(() => encryptionFor({ ...requestParameters, jwk: { ...key, alg: 'ECDH-ES' } })).toThrow(
      expect.objectContaining(refusal('credential_response_encryption.jwk is not a public key for encryption')),
    )
  })
})
