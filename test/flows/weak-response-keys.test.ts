import { CompactEncrypt, importJWK } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../harness/api-client.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { joinService, type SharedService } from '../harness/harness.ts'
import { newWallet } from '../wallets/wallet.ts'

let service: SharedService
let configurationId: string
beforeAll(async () => {
  service = await joinService()
  configurationId = await compactConfiguration(service)
})
afterAll(() => service[Symbol.asyncDispose]())

/** The points of low order of X25519 (cr.yp.to/ecdh.html) as numbers, and the other encodings of two of them. */
const lowOrder = [
  '0',
  '1',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]

test('a response key of low order is refused before anything is issued', async () => {
  const { body: metadata } = await service.anonymous.get('/.well-known/openid-credential-issuer')
  const [jwk] = metadata.credential_request_encryption.jwks.keys
  const { uri } = await newOffer(service, [configurationId])
  const wallet = await newWallet(service, service.origin, uri)
  const api = createApi(service.origin, service.host, (await wallet.redeem()).body.access_token)
  const right = { credential_configuration_id: configurationId, proofs: { jwt: [await wallet.proof()] } }
  const key = await importJWK(jwk)
  for (const alg of ['ECDH-ES', 'ECDH-ES+A128KW'])
    for (const hex of lowOrder) {
      const x = Buffer.from(hex.length === 1 ? hex.padStart(2, '0').padEnd(64, '0') : hex, 'hex').toString('base64url')
      const credential_response_encryption = { jwk: { kty: 'OKP', crv: 'X25519', x, alg }, enc: 'A128GCM' }
      const jwe = await new CompactEncrypt(Buffer.from(JSON.stringify({ ...right, credential_response_encryption })))
        .setProtectedHeader({ alg: jwk.alg, kid: jwk.kid, enc: 'A128GCM' })
        .encrypt(key)
      const refused = await api.post('/v1/openid/credential', jwe, { 'content-type': 'application/jwt' })
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_encryption_parameters' } })
    }
  // The nonce of the proof is not spent.
  expect(await api.post('/v1/openid/credential', right)).toMatchObject({ status: 200 })
})
