import { CompactEncrypt, compactDecrypt, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiResponse } from '../harness/api-client.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { expectOauthError } from '../harness/oauth-error.ts'
import { encrypt, issuerPath, keyOf, type Redeemed, redeemedBy } from './encrypted-wallet.ts'

let service: Service
let other: TestTenant
let configuration: string
beforeAll(async () => {
  service = await startService()
  other = await service.addTenant()
  configuration = await compactConfiguration(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const redeemed = (tenant: TestTenant = service, configurationId = configuration) =>
  redeemedBy(tenant, configurationId, service.origin)

async function answerKey(alg = 'ECDH-ES', options: { crv?: string } = {}) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { ...options, extractable: true })
  return { jwk: { ...(await exportJWK(publicKey)), alg, kid: 'answer-1', use: 'enc' }, privateKey }
}

async function readAnswer({ status, headers, body }: ApiResponse, privateKey: Parameters<typeof compactDecrypt>[1]) {
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/jwt', 'no-store'])
  const { plaintext, protectedHeader } = await compactDecrypt(body, privateKey)
  return { header: protectedHeader, content: JSON.parse(Buffer.from(plaintext).toString()) }
}

describe('the metadata', () => {
  test('contain only a public key of the tenant and the supported algorithms', async () => {
    const { body } = await service.anonymous.get(issuerPath)
    expect(body.credential_request_encryption).toEqual({
      jwks: {
        keys: [
          {
            kty: 'EC',
            crv: 'P-256',
            x: expect.any(String),
            y: expect.any(String),
            use: 'enc',
            alg: 'ECDH-ES',
            kid: expect.any(String),
          },
        ],
      },
      enc_values_supported: ['A128GCM', 'A256GCM', 'A128CBC-HS256'],
      zip_values_supported: ['DEF'],
      encryption_required: false,
    })
    expect(body.credential_response_encryption).toEqual({
      alg_values_supported: ['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW'],
      enc_values_supported: ['A128GCM', 'A256GCM', 'A128CBC-HS256'],
      zip_values_supported: ['DEF'],
      encryption_required: false,
    })
    expect((await keyOf(other)).kid).not.toBe((await keyOf(service)).kid)
  })
})

describe('an encrypted request', () => {
  for (const enc of ['A128GCM', 'A256GCM', 'A128CBC-HS256']) {
    for (const extra of [{}, { zip: 'DEF' }, { typ: 'JWE', cty: 'json' }]) {
      test(`of ${enc} ${JSON.stringify(extra)} gets a plain response unless it requests encryption`, async () => {
        const all = await redeemed()
        const answer = await all.send({ ...all.right, unknown: true }, { header: { enc, ...extra } })
        expect(answer).toMatchObject({ status: 200, body: { credentials: [{ credential: expect.any(String) }] } })
        expect(answer.headers).not.toHaveProperty('x-ignored-fields')
      })
    }
  }

  const algorithms: [alg: string, crv: string][] = [
    ['ECDH-ES', 'P-256'],
    ['ECDH-ES', 'P-384'],
    ['ECDH-ES', 'X25519'],
    ['ECDH-ES+A128KW', 'P-256'],
    ['ECDH-ES+A256KW', 'P-521'],
  ]
  for (const [alg, crv] of algorithms) {
    test(`gets the requested response, encrypted with ${alg} for a key of ${crv}`, async () => {
      const all = await redeemed()
      const { jwk, privateKey } = await answerKey(alg, { crv })
      const encryption = { jwk, enc: 'A256GCM' }
      const answer = await all.send({ ...all.right, credential_response_encryption: encryption })
      const { header, content } = await readAnswer(answer, privateKey)
      expect(header).toMatchObject({ alg, enc: 'A256GCM', kid: 'answer-1' })
      expect(header).not.toHaveProperty('zip')
      expect(content).toEqual({
        credentials: [{ credential: expect.any(String) }],
        notification_id: expect.any(String),
      })
    })
  }

  test('gets a compressed response on request, and the alg beside the JWK of old drafts is ignored', async () => {
    const all = await redeemed()
    const { jwk, privateKey } = await answerKey()
    const { kid, use, ...bare } = jwk
    const encryption = { jwk: bare, alg: 'RSA1_5', enc: 'A128CBC-HS256', zip: 'DEF', extra: 1 }
    const answer = await all.send({ ...all.right, credential_response_encryption: encryption })
    const { header, content } = await readAnswer(answer, privateKey)
    expect(header).toMatchObject({ alg: 'ECDH-ES', enc: 'A128CBC-HS256', zip: 'DEF' })
    expect(header).not.toHaveProperty('kid')
    expect(content.credentials).toHaveLength(1)
  })
})

describe('a request is refused in plain text, and nonce and offer stay usable:', () => {
  type Send = (all: Redeemed) => Promise<ApiResponse>
  const withHeader =
    (header: Record<string, unknown>): Send =>
    (all) =>
      all.send(all.right, { header })
  const withParameters =
    (parameters: (jwk: JWK) => unknown | Promise<unknown>): Send =>
    async (all) =>
      all.send({ ...all.right, credential_response_encryption: await parameters((await answerKey()).jwk) })
  const inner =
    (text: string): Send =>
    (all) =>
      all.send(text)
  const changed =
    (part: number, change: (text: string) => string): Send =>
    async (all) => {
      const parts = (await encrypt(JSON.stringify(all.right), all.jwk)).split('.')
      parts[part] = change(parts[part] ?? '')
      return all.sendJwe(parts.join('.'))
    }
  const flip = (text: string) => (text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`)
  const headerOf = (change: (header: Record<string, unknown>) => object) => (text: string) =>
    Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(text, 'base64url').toString())))).toString('base64url')

  const requests: Record<string, Send> = {
    'a request that is no JWE': ({ sendJwe }) => sendJwe('nonsense'),
    'a request of four parts': ({ sendJwe }) => sendJwe('a.b.c.d'),
    'a JWS': async ({ sendJwe, wallet }) => sendJwe(await wallet.proof()),
    'a request without a kid': withHeader({ kid: undefined }),
    'an unknown kid': withHeader({ kid: 'nothing' }),
    'a kid that no database takes': withHeader({ kid: 'a\0b' }),
    'a kid that is no text': changed(
      0,
      headerOf((header) => ({ ...header, kid: 7 })),
    ),
    'the key of another tenant': async (all) => all.send(all.right, { jwk: await keyOf(other) }),
    'the kid of the token key': async (all) => {
      const { body } = await service.anonymous.get('/v1/openid/jwks')
      return all.send(all.right, { header: { kid: body.keys[0].kid } })
    },
    'the right kid and another key': async (all) => {
      const { jwk } = await answerKey()
      return all.send(all.right, { jwk: { ...jwk, kid: all.jwk.kid ?? '' } })
    },
    'an alg that is not of the key': withHeader({ alg: 'ECDH-ES+A128KW' }),
    'an alg with a shared key': async (all) => {
      const jwe = new CompactEncrypt(Buffer.from(JSON.stringify(all.right)))
      jwe.setProtectedHeader({ alg: 'dir', enc: 'A128GCM', kid: all.jwk.kid ?? '' })
      return all.sendJwe(await jwe.encrypt(new Uint8Array(16)))
    },
    'an enc that is not listed': withHeader({ enc: 'A192GCM' }),
    'a zip that is not listed': changed(
      0,
      headerOf((header) => ({ ...header, zip: 'GZIP' })),
    ),
    'a critical header': changed(
      0,
      headerOf((header) => ({ ...header, crit: ['exp'], exp: 1 })),
    ),
    'a header without an ephemeral key': changed(
      0,
      headerOf(({ epk, ...header }) => header),
    ),
    'an ephemeral key that is not on the curve': changed(
      0,
      headerOf((header) => ({ ...header, epk: { ...(header.epk as object), y: 'A'.repeat(43) } })),
    ),
    'an ephemeral key of another curve': changed(
      0,
      headerOf((header) => ({ ...header, epk: { kty: 'EC', crv: 'P-384', x: 'A'.repeat(64), y: 'A'.repeat(64) } })),
    ),
    'a changed header': changed(
      0,
      headerOf((header) => ({ ...header, cty: 'json' })),
    ),
    'an encrypted key where there is none': changed(1, () => 'AAAA'),
    'a changed iv': changed(2, flip),
    'a changed ciphertext': changed(3, flip),
    'a changed tag': changed(4, flip),
    'a short tag': changed(4, (tag) => tag.slice(0, 6)),
    'content that swells': (all) => all.send({ ...all.right, x: 'x'.repeat(2_000_000) }, { header: { zip: 'DEF' } }),
    // 100 KB, and 10 KB for each of the 20 keys of a batch.
    'content that swells a little above what is taken in clear': (all) =>
      all.send({ ...all.right, x: 'x'.repeat(300_000) }, { header: { zip: 'DEF' } }),
  }
  const answers: Record<string, Send> = {
    'an encrypted answer asked for in clear': async (all) =>
      all.sendClear({ ...all.right, credential_response_encryption: { jwk: (await answerKey()).jwk, enc: 'A128GCM' } }),
    'parameters that are no object': withParameters(() => 'yes'),
    'parameters that are null': withParameters(() => null),
    'no jwk': withParameters(() => ({ enc: 'A128GCM' })),
    'no enc': withParameters((jwk) => ({ jwk })),
    'an answer of an enc that is not listed': withParameters((jwk) => ({ jwk, enc: 'A192GCM' })),
    'an answer of a zip that is not listed': withParameters((jwk) => ({ jwk, enc: 'A128GCM', zip: 'GZIP' })),
    'a jwk without alg': withParameters(({ alg, ...jwk }) => ({ jwk, alg: 'ECDH-ES', enc: 'A128GCM' })),
    'a jwk of an alg that is not listed': withParameters((jwk) => ({
      jwk: { ...jwk, alg: 'RSA-OAEP' },
      enc: 'A128GCM',
    })),
    'a jwk for signatures': withParameters((jwk) => ({ jwk: { ...jwk, use: 'sig' }, enc: 'A128GCM' })),
    'a jwk whose kid is no text': withParameters((jwk) => ({ jwk: { ...jwk, kid: 7 }, enc: 'A128GCM' })),
    'a private jwk': withParameters(async () => {
      const { privateKey } = await generateKeyPair('ECDH-ES', { extractable: true })
      return { jwk: { ...(await exportJWK(privateKey)), alg: 'ECDH-ES' }, enc: 'A128GCM' }
    }),
    'a symmetric jwk': withParameters(() => ({ jwk: { kty: 'oct', k: 'AAAA', alg: 'ECDH-ES' }, enc: 'A128GCM' })),
    'a jwk that is not on its curve': withParameters((jwk) => ({ jwk: { ...jwk, y: 'A'.repeat(43) }, enc: 'A128GCM' })),
    'a jwk of a curve for signatures': withParameters(async () => {
      const { publicKey } = await generateKeyPair('EdDSA', { extractable: true })
      return { jwk: { ...(await exportJWK(publicKey)), alg: 'ECDH-ES' }, enc: 'A128GCM' }
    }),
  }
  const contents: Record<string, Send> = {
    'content that is no JSON': inner('{"proofs":'),
    'content that is no object': inner('[]'),
    'no content': inner(''),
    'content with a member twice': inner('{"credential_configuration_id":"a","credential_configuration_id":"b"}'),
    'content that is not UTF-8': async (all) => {
      const jwe = new CompactEncrypt(Buffer.from([0x22, 0xff, 0x22]))
      jwe.setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid: all.jwk.kid ?? '' })
      return all.sendJwe(await jwe.encrypt(await importJWK(all.jwk)))
    },
    'content without a credential': inner('{"proofs":{}}'),
    'no body': ({ sendJwe }) => sendJwe(''),
    'a JWE under the media type of clear ones': async (all) =>
      all.sendClear(await encrypt(JSON.stringify(all.right), all.jwk)),
  }
  const faults = {
    invalid_encryption_parameters: { ...requests, ...answers },
    invalid_credential_request: contents,
  }
  for (const [error, rows] of Object.entries(faults)) {
    for (const [name, send] of Object.entries(rows)) {
      test(`${name}: ${error}`, async () => {
        const all = await redeemed()
        expectOauthError(await send(all), error)
        expect(await all.sendClear(all.right)).toMatchObject({ status: 200 })
      })
    }
  }

  test('other errors are plain even if the wallet requested an encrypted response', async () => {
    const all = await redeemed()
    const credential_response_encryption = { jwk: (await answerKey()).jwk, enc: 'A128GCM' }
    const body = { ...all.right, credential_configuration_id: 'nothing', credential_response_encryption }
    expectOauthError(await all.send(body), 'unknown_credential_configuration')
    expect(await all.send(all.right)).toMatchObject({ status: 200 })
  })
})

describe('a tenant that requires encryption', () => {
  const both = { requestRequired: true, responseRequired: true }

  test('declares it, and refuses plain requests and plain responses', async () => {
    const tenant = await service.addTenant({ encryption: both })
    const { body } = await tenant.anonymous.get(issuerPath)
    expect(body).toMatchObject({
      credential_request_encryption: { encryption_required: true },
      credential_response_encryption: { encryption_required: true },
    })
    const all = await redeemed(tenant, await compactConfiguration(tenant))
    const { jwk, privateKey } = await answerKey()
    const whole = { ...all.right, credential_response_encryption: { jwk, enc: 'A128GCM' } }
    expectOauthError(await all.sendClear(all.right), 'invalid_encryption_parameters')
    expectOauthError(await all.sendClear(whole), 'invalid_encryption_parameters')
    expectOauthError(await all.send(all.right), 'invalid_encryption_parameters')
    const { content } = await readAnswer(await all.send(whole), privateKey)
    expect(content.credentials).toHaveLength(1)
  })

  test('can require it for requests alone, but not for responses alone', async () => {
    const tenant = await service.addTenant({ encryption: { requestRequired: true } })
    const all = await redeemed(tenant, await compactConfiguration(tenant))
    expectOauthError(await all.sendClear(all.right), 'invalid_encryption_parameters')
    expect(await all.send(all.right)).toMatchObject({ status: 200 })

    const refused = await service.platform.put(`/v1/tenants/${tenant.id}`, { encryption: { responseRequired: true } })
    const details = [
      { param: 'encryption.responseRequired', location: 'body', msg: expect.stringContaining('requestRequired') },
    ]
    expect(refused).toMatchObject({ status: 400, body: { details } })
    const changed = await service.platform.put(`/v1/tenants/${tenant.id}`, { encryption: {} })
    expect(changed.body.encryption).toEqual({ requestRequired: false, responseRequired: false })
  })
})
