import { createHash, randomBytes } from 'node:crypto'
import {
  type ClientAuthenticationCallback,
  clientAuthenticationAnonymous,
  clientAuthenticationClientAttestationJwt,
  clientAuthenticationNone,
  type SignJwtCallback,
} from '@openid4vc/oauth2'
import { Openid4vciClient, setGlobalConfig } from '@openid4vc/openid4vci'
import { importJWK, type JWTPayload, SignJWT } from 'jose'
import { Agent, setGlobalDispatcher } from 'undici'
import { newBrowser } from '../servers/provider.ts'
import { redirectUri } from './authorization-wallet.ts'
import { type HolderKeyPair, newHolderKey } from './wallet.ts'

setGlobalConfig({ allowInsecureUrls: true })

/**
 * Resolves every host to this machine. The tenants of tests have hosts below `localhost`, which some resolvers do not
 * know.
 */
export function resolveEverythingHere(): void {
  const here = { address: '127.0.0.1', family: 4 }
  setGlobalDispatcher(
    new Agent({
      connect: {
        lookup: (_host, { all }, callback) =>
          all ? callback(null, [here]) : callback(null, here.address, here.family),
      },
    }),
  )
}

export interface LibraryWalletOptions {
  clientId?: string
  /** Binds tokens to this key. */
  dpopKey?: HolderKeyPair
  /** The attestation of the key `dpopKey`. The client authenticates with it. */
  clientAttestation?: string
  /** The number of proofs in one request. Each gives a credential. */
  copies?: number
}

/** A wallet built on @openid4vc/openid4vci. The library makes every request and checks every answer. */
export async function newLibraryWallet(offerUri: string, options: LibraryWalletOptions = {}) {
  const { clientId, dpopKey, copies = 1 } = options
  const keys = await Promise.all(Array.from({ length: copies }, () => newHolderKey()))
  const ownKeys = dpopKey ? [...keys, dpopKey] : keys
  const signJwt: SignJwtCallback = async (signer, { header, payload }) => {
    const pair = ownKeys.find(({ publicJwk }) => signer.method === 'jwk' && publicJwk.x === signer.publicJwk.x)
    if (!pair) throw new Error('no such key')
    // The library's types allow undefined members. Those of jose do not.
    const jwt = await new SignJWT(payload as JWTPayload)
      .setProtectedHeader({ ...(header as object), alg: pair.alg })
      .sign(await importJWK(pair.privateJwk, pair.alg))
    return { jwt, signerJwk: pair.publicJwk as never }
  }
  const generateRandom = (length: number) => randomBytes(length)
  const client = new Openid4vciClient({
    callbacks: {
      fetch,
      hash: (data, alg) => createHash(alg.replace('-', '')).update(data).digest(),
      generateRandom,
      clientAuthentication: authentication(options, { signJwt, generateRandom }),
      signJwt,
    },
  })
  const credentialOffer = await client.resolveCredentialOffer(offerUri)
  const issuerMetadata = await client.resolveIssuerMetadata(credentialOffer.credential_issuer)
  const dpop = dpopKey && { signer: signerOf(dpopKey) }
  const credentialConfigurationId = credentialOffer.credential_configuration_ids[0] ?? ''

  return {
    client,
    issuerMetadata,
    /** Exchanges the grant of the offer for an access token. For the authorization code, a user signs in. */
    async authorize() {
      if (!credentialOffer.grants?.authorization_code) {
        return client.retrievePreAuthorizedCodeAccessTokenFromOffer({
          credentialOffer,
          issuerMetadata,
          ...(dpop ? { dpop } : {}),
        })
      }
      const initiated = await client.initiateAuthorization({
        clientId: clientId ?? '',
        credentialOffer,
        issuerMetadata,
        redirectUri,
        state: 'library',
        scope:
          issuerMetadata.credentialIssuer.credential_configurations_supported[credentialConfigurationId]?.scope ?? '',
        ...(dpop ? { dpop } : {}),
      })
      if (!('authorizationRequestUrl' in initiated)) throw new Error('the library wants a presentation')
      const browser = newBrowser((url) => url.href.startsWith(redirectUri))
      const { url } = await browser.signIn(initiated.authorizationRequestUrl)
      return client.retrieveAuthorizationCodeAccessTokenFromOffer({
        credentialOffer,
        issuerMetadata,
        authorizationCode: url.searchParams.get('code') ?? '',
        redirectUri,
        ...(initiated.pkce ? { pkceCodeVerifier: initiated.pkce.codeVerifier } : {}),
        ...(dpop ? { dpop } : {}),
      })
    },
    async requestCredentials(accessToken: string) {
      const nonce = issuerMetadata.credentialIssuer.nonce_endpoint
        ? (await client.requestNonce({ issuerMetadata })).c_nonce
        : undefined
      const proofs = await Promise.all(
        keys.map((each) =>
          client.createCredentialRequestJwtProof({
            issuerMetadata,
            credentialConfigurationId,
            signer: signerOf(each),
            ...(nonce === undefined ? {} : { nonce }),
          }),
        ),
      )
      return client.retrieveCredentials({
        issuerMetadata,
        accessToken,
        credentialConfigurationId,
        ...(proofs.length > 0 && { proofs: { jwt: proofs.map(({ jwt }) => jwt) } }),
        ...(dpop ? { dpop } : {}),
      })
    },
    dpop,
  }
}

function signerOf({ alg, publicJwk }: HolderKeyPair) {
  return { method: 'jwk' as const, alg, publicJwk: publicJwk as never }
}

function authentication(
  { clientId, clientAttestation }: Pick<LibraryWalletOptions, 'clientId' | 'clientAttestation'>,
  callbacks: { signJwt: SignJwtCallback; generateRandom: (length: number) => Buffer },
): ClientAuthenticationCallback {
  if (clientAttestation) {
    return clientAuthenticationClientAttestationJwt({ clientAttestationJwt: clientAttestation, callbacks })
  }
  return clientId === undefined ? clientAuthenticationAnonymous() : clientAuthenticationNone({ clientId })
}
