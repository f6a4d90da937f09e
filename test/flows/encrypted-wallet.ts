import { CompactEncrypt, importJWK, type JWK } from 'jose'
import { type ApiResponse, createApi } from '../harness/api-client.ts'
import { newOffer } from '../harness/factories.ts'
import type { TestTenant } from '../harness/harness.ts'
import { newHolderKey, newWallet } from '../wallets/wallet.ts'

const credentialPath = '/v1/openid/credential'
export const issuerPath = '/.well-known/openid-credential-issuer'
const newKey = newHolderKey()

export async function keyOf(tenant: TestTenant): Promise<JWK> {
  const { body } = await tenant.anonymous.get(issuerPath)
  return body.credential_request_encryption.jwks.keys[0]
}

interface Encryption {
  jwk?: JWK
  header?: Record<string, unknown>
}

/** A compact JWE by jose for the tenant's published key, with whatever is to be wrong about it. */
export async function encrypt(text: string, jwk: JWK, header: Record<string, unknown> = {}): Promise<string> {
  const protectedHeader = { alg: jwk.alg ?? '', kid: jwk.kid, enc: 'A128GCM', ...header }
  return new CompactEncrypt(Buffer.from(text))
    .setProtectedHeader(protectedHeader as never)
    .encrypt(await importJWK(jwk))
}

/** A wallet with its token, a proof whose nonce it has not used, and a key for the answer. */
export async function redeemedBy(tenant: TestTenant, configurationId: string, origin: string) {
  const { uri } = await newOffer(tenant, [configurationId])
  const wallet = await newWallet(tenant, origin, uri, await newKey)
  const token: string = (await wallet.redeem()).body.access_token
  const api = createApi(origin, tenant.host, token)
  const right = { credential_configuration_id: configurationId, proofs: { jwt: [await wallet.proof()] } }
  const jwk = await keyOf(tenant)
  return {
    wallet,
    right,
    jwk,
    sendClear: (body: unknown) => api.post(credentialPath, body),
    sendJwe: (jwe: string) => api.post(credentialPath, jwe, { 'content-type': 'application/jwt' }),
    async send(body: unknown, { jwk: own = jwk, header }: Encryption = {}): Promise<ApiResponse> {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return this.sendJwe(await encrypt(text, own, header))
    },
  }
}
export type Redeemed = Awaited<ReturnType<typeof redeemedBy>>
