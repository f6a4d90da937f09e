// The first section of docs/tour.md in TypeScript, with types made of the reference:
//
//   npm init -y && npm pkg set type=module && npm install jose openapi-fetch
//   npx openapi-typescript http://localhost:3000/openapi.json -o trustwright.d.ts
//   BASE=http://localhost:3000 CLIENT_ID=... CLIENT_SECRET=... node tour.ts
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import createClient from 'openapi-fetch'
import type { components, paths } from './trustwright.d.ts'

type Offer = components['schemas']['CredentialOffer']

const { BASE: baseUrl = 'http://localhost:3000', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const anonymous = createClient<paths>({ baseUrl })

// A management token.
const { access_token: managementToken } = got(
  await anonymous.POST('/oauth/token', {
    body: { grant_type: 'client_credentials', client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
  }),
)
const operator = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${managementToken}` } })

// What is to be issued: a compact credential with one claim, valid for a year, which can be revoked.
const configuration = got(
  await operator.POST('/v2/credentials/compact/configurations', {
    body: {
      claimMappings: { given_name: { mapFrom: 'claims.given_name', required: true } },
      expiresIn: { years: 1 },
      revocable: true,
    },
  }),
)

// An offer of it to Ada, of which a wallet would scan the `uri`.
const made = got(
  await operator.POST('/v1/openid/offers/pre-authorized', {
    body: { credentials: [configuration.id], claims: { given_name: 'Ada' } },
  }),
)
const offer: Offer = JSON.parse(new URL(made.uri).searchParams.get('credential_offer') ?? '')
const preAuthorized = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'
const code = offer.grants[preAuthorized]?.['pre-authorized_code']
if (!code) throw new Error('the offer has no code')

// The wallet redeems the code for an access token.
const { access_token: accessToken } = got(
  await anonymous.POST('/v1/oauth/token', {
    headers: form,
    body: { grant_type: preAuthorized, 'pre-authorized_code': code },
    bodySerializer: (body) => new URLSearchParams(Object.entries(body)),
  }),
)
const wallet = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${accessToken}` } })

// It proves that it has a key, which the credential is then bound to.
const { c_nonce: nonce } = got(await anonymous.POST('/v1/openid/nonce'))
const { publicKey, privateKey } = await generateKeyPair('ES256')
const proof = await new SignJWT({ nonce })
  .setProtectedHeader({ alg: 'ES256', typ: 'openid4vci-proof+jwt', jwk: await exportJWK(publicKey) })
  .setAudience(offer.credential_issuer)
  .setIssuedAt()
  .sign(privateKey)

const answer = got(
  await wallet.POST('/v1/openid/credential', {
    body: { credential_configuration_id: configuration.id, proofs: { jwt: [proof] } },
  }),
)
if (typeof answer === 'object' && 'credentials' in answer) console.log(answer.credentials[0]?.credential)

/** The data of an answer; throws what the service said instead. */
function got<Data>({ data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  if (data === undefined) throw new Error(`${response.status} ${JSON.stringify(error)}`)
  return data
}
