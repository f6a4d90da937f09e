import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createCaches } from '../../../api/process/caches.ts'
import * as signIn from '../../../api/relying-party/sign-in.ts'
import { unixSeconds } from '../../../shared/clock.ts'

/** The library replaces the template only for this host, so that the test answers its requests itself. */
const host = 'https://login.microsoftonline.com'
const template = `${host}/{tenantid}/v2.0`
const clientId = 'trustwright'

async function finishWith(claims: { iss: string; tid: string }) {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', use: 'sig', alg: 'RS256' }
  const iat = unixSeconds(new Date())
  const idToken = await new SignJWT({ ...claims, aud: clientId, sub: 'ada', nonce: 'n', iat, exp: iat + 300 })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .sign(privateKey)
  const documents: Record<string, object> = {
    '/organizations/v2.0/.well-known/openid-configuration': {
      issuer: template,
      jwks_uri: `${host}/keys`,
      authorization_endpoint: `${host}/authorize`,
      token_endpoint: `${host}/token`,
    },
    '/keys': { keys: [jwk] },
    '/token': { access_token: 'a', token_type: 'Bearer', id_token: idToken },
  }
  const request = async ({ url }: { url: string }) => {
    const document = documents[new URL(url).pathname]
    const body = Buffer.from(JSON.stringify(document ?? {}))
    return { status: document ? 200 : 404, headers: { 'content-type': 'application/json' }, body }
  }
  const deps = { outbound: { request }, caches: createCaches(), withoutSlot: <T>(work: Promise<T>) => work }
  const party = {
    ...{ issuer: `${host}/organizations/v2.0`, clientId, clientSecret: 'secret', tenantId: 'one' },
    ...{ tokenEndpointAuthMethod: 'client_secret_post', assertionAudience: 'issuer' as const },
  }
  const callback = {
    ...{ nonce: 'n', codeVerifier: 'v'.repeat(43), redirectUri: 'https://service.example/callback' },
    ...{ answer: { code: 'c', state: 's' }, isComplete: () => true },
  }
  const prepared = await signIn.prepareFinish(deps as never, party)
  return signIn.finishAtProvider(deps, prepared, callback)
}

test('the issuer of an ID token fills in the template of Entra with the tenant of the person', async () => {
  const { claims, failure } = await finishWith({ iss: `${host}/contoso/v2.0`, tid: 'contoso' })
  expect([claims?.sub, failure]).toEqual(['ada', undefined])
})

test('the issuer of another tenant than that of the person is refused', async () => {
  const { failure } = await finishWith({ iss: `${host}/fabrikam/v2.0`, tid: 'contoso' })
  expect(failure).toMatchObject({ kind: 'id_token' })
})
