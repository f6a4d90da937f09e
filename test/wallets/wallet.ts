import { createHash, randomBytes } from 'node:crypto'
import { clientAuthenticationAnonymous } from '@openid4vc/oauth2'
import { Openid4vciClient, setGlobalConfig } from '@openid4vc/openid4vci'
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { didKeyOf } from '../../shared/formats/did-key.ts'
import { parsePublicJwk } from '../../shared/formats/jwk.ts'
import { type Api, type ApiResponse, createApi } from '../harness/api-client.ts'
import type { TestTenant } from '../harness/harness.ts'

setGlobalConfig({ allowInsecureUrls: true })

export const preAuthorizedGrant = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

export interface HolderKeyPair {
  alg: 'ES256' | 'EdDSA'
  publicJwk: JWK
  privateJwk: JWK
  did: string
}

export async function newHolderKey(alg: 'ES256' | 'EdDSA' = 'ES256'): Promise<HolderKeyPair> {
  const { publicKey, privateKey } = await generateKeyPair(alg, {
    extractable: true,
    ...(alg === 'EdDSA' ? { crv: 'Ed25519' } : {}),
  })
  const publicJwk = await exportJWK(publicKey)
  return { alg, publicJwk, privateJwk: await exportJWK(privateKey), did: didKeyOf(parsePublicJwk(publicJwk)) }
}

export interface ProofOptions {
  issuer: string
  nonce?: string | undefined
  key: HolderKeyPair
  by?: 'jwk' | 'kid'
  header?: Record<string, unknown>
  payload?: Record<string, unknown>
}

/** Makes a proof of type `jwt`. Options can make any part wrong. */
export async function makeProof({
  issuer,
  nonce,
  key,
  by = 'jwk',
  header = {},
  payload = {},
}: ProofOptions): Promise<string> {
  const named = by === 'jwk' ? { jwk: key.publicJwk } : { kid: `${key.did}#${key.did.slice('did:key:'.length)}` }
  return new SignJWT({
    aud: issuer,
    iat: Math.floor(Date.now() / 1000),
    ...(nonce === undefined ? {} : { nonce }),
    ...payload,
  })
    .setProtectedHeader({ alg: key.alg, typ: 'openid4vci-proof+jwt', ...named, ...header })
    .sign(await importJWK(key.privateJwk, key.alg))
}

/** Returns the credential offer of an offer URI. Fetches it if the URI is a reference. */
export async function readOffer(uri: string, api: Api): Promise<ApiResponse['body']> {
  const { searchParams } = new URL(uri)
  const inline = searchParams.get('credential_offer')
  if (inline) return JSON.parse(inline)
  const reference = new URL(searchParams.get('credential_offer_uri') ?? '')
  return (await api.get(reference.pathname)).body
}

/** A wallet with one function per step. Tests can change any step. */
export interface Wallet {
  key: HolderKeyPair
  redeem(extra?: Record<string, string>): Promise<ApiResponse>
  nonce(): Promise<string>
  proof(options?: Partial<ProofOptions>): Promise<string>
  requestCredential(body?: Record<string, unknown>): Promise<ApiResponse>
  /** Redeems the offer and requests its first credential. */
  collect(): Promise<ApiResponse>
}

export interface WalletOptions {
  /**
   * Makes the DPoP proof of a request. With it tokens are bound to the key, and a lost token request can be repeated.
   */
  dpop?: (request: { url: string; accessToken?: string }) => Promise<string>
}

/** Makes a wallet for an issuer. The issuer identifier is `baseUrl`, which can have the path of a view. */
export async function newWallet(
  tenant: Pick<TestTenant, 'host' | 'baseUrl'>,
  origin: string,
  uri: string,
  key?: HolderKeyPair,
  { dpop }: WalletOptions = {},
): Promise<Wallet> {
  const offer = await readOffer(uri, createApi(origin, tenant.host))
  const anonymous = createApi(origin + new URL(tenant.baseUrl).pathname.replace(/\/$/, ''), tenant.host)
  const holderKey = key ?? (await newHolderKey())
  let accessToken: string | undefined
  const headersFor = async (path: string) => {
    const tokenOption = accessToken === undefined ? {} : { accessToken }
    const authorization =
      accessToken === undefined ? {} : { authorization: `${dpop ? 'DPoP' : 'Bearer'} ${accessToken}` }
    return dpop
      ? { ...authorization, dpop: await dpop({ url: `${tenant.baseUrl}${path}`, ...tokenOption }) }
      : authorization
  }
  const wallet: Wallet = {
    key: holderKey,
    async redeem(extra = {}) {
      const code = offer.grants[preAuthorizedGrant]['pre-authorized_code']
      const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code, ...extra })
      accessToken = undefined
      const response = await anonymous.post('/v1/oauth/token', form, await headersFor('/v1/oauth/token'))
      if (response.status === 200) accessToken = response.body.access_token
      return response
    },
    async nonce() {
      const { status, body } = await anonymous.post('/v1/openid/nonce')
      if (status === 503) throw new Error('the service is not ready')
      return body.c_nonce
    },
    async proof(options = {}) {
      const nonce = 'nonce' in options ? options.nonce : await wallet.nonce()
      return makeProof({ issuer: tenant.baseUrl, key: holderKey, ...options, nonce })
    },
    async requestCredential(body = {}) {
      const request = {
        credential_configuration_id: offer.credential_configuration_ids[0],
        ...('proofs' in body ? {} : { proofs: { jwt: [await wallet.proof()] } }),
        ...body,
      }
      return anonymous.post('/v1/openid/credential', request, await headersFor('/v1/openid/credential'))
    },
    async collect() {
      const token = await wallet.redeem()
      return token.status === 200 ? wallet.requestCredential() : token
    },
  }
  return wallet
}

/** Collects an offer with the library @openid4vc/openid4vci, which makes all steps. */
export async function collectWithLibrary(
  uri: string,
  options: { key: HolderKeyPair; by: 'jwk' | 'did'; txCode?: string; copies?: number },
) {
  const { key, by, txCode, copies = 1 } = options
  const extraKeys = await Promise.all(Array.from({ length: copies - 1 }, () => newHolderKey(key.alg)))
  const keys = [key, ...extraKeys]
  const client = new Openid4vciClient({
    callbacks: {
      fetch,
      hash: (data, alg) => createHash(alg.replace('-', '')).update(data).digest(),
      generateRandom: (length) => randomBytes(length),
      clientAuthentication: clientAuthenticationAnonymous(),
      async signJwt(signer, { header, payload }) {
        const pair = keys.find((each) =>
          signer.method === 'jwk'
            ? each.publicJwk.x === signer.publicJwk.x
            : signer.method === 'did' && signer.didUrl.startsWith(each.did),
        )
        if (!pair) throw new Error('no such key')
        // The library's types allow undefined members. Those of jose do not.
        const jwt = await new SignJWT(payload as JWTPayload)
          .setProtectedHeader({ ...(header as object), alg: pair.alg })
          .sign(await importJWK(pair.privateJwk, pair.alg))
        return { jwt, signerJwk: pair.publicJwk as never }
      },
    },
  })
  const credentialOffer = await client.resolveCredentialOffer(uri)
  const issuerMetadata = await client.resolveIssuerMetadata(credentialOffer.credential_issuer)
  const { accessTokenResponse } = await client.retrievePreAuthorizedCodeAccessTokenFromOffer({
    credentialOffer,
    issuerMetadata,
    ...(txCode === undefined ? {} : { txCode }),
  })
  const { c_nonce } = await client.requestNonce({ issuerMetadata })
  const credentialConfigurationId = credentialOffer.credential_configuration_ids[0] ?? ''
  const proofs = await Promise.all(
    keys.map((each) =>
      client.createCredentialRequestJwtProof({
        issuerMetadata,
        credentialConfigurationId,
        nonce: c_nonce,
        signer:
          by === 'jwk'
            ? { method: 'jwk', alg: each.alg, publicJwk: each.publicJwk as never }
            : { method: 'did', alg: each.alg, didUrl: `${each.did}#${each.did.slice('did:key:'.length)}` },
      }),
    ),
  )
  const { credentialResponse } = await client.retrieveCredentials({
    issuerMetadata,
    accessToken: accessTokenResponse.access_token,
    credentialConfigurationId,
    proofs: { jwt: proofs.map(({ jwt }) => jwt) },
  })
  return {
    credentialOffer,
    issuerMetadata,
    credentials: (credentialResponse.credentials ?? []) as { credential: unknown }[],
    keys,
  }
}
