import { z } from 'zod'
import { described, named } from '../../http/fields.ts'

/**
 * RFC 6749, section 3.1: a parameter may not be repeated, and one without a value is as if it were not there. A repeated parameter
 * is an array, which the handler refuses; the reference shows what the interface takes, a string.
 */
const Parameter = z
  .custom<string | string[]>((value) => typeof value === 'string' || Array.isArray(value), 'Must be a string')
  .meta({ type: 'string' })
  .optional()

/** Named for the reference; what they have to be, `read-request.ts` says. Others are ignored, or meant for the provider. */
export const AuthorizationQuery = z.looseObject({
  response_type: described(Parameter, '`code`', 'code'),
  response_mode: Parameter.describe('`query`'),
  client_id: described(Parameter, 'How the wallet calls itself', 'campus-wallet'),
  redirect_uri: described(
    Parameter,
    'Where the code is sent to, one of those that the wallet was registered with',
    'https://wallet.example.org/callback',
  ),
  scope: described(Parameter, 'Scopes of configurations, separated by spaces', 'cwt:CourseCertificate'),
  authorization_details: Parameter.describe('A JSON array of `openid_credential` objects'),
  state: described(Parameter, 'Comes back with the code as it was', 'af0ifjsldkj'),
  code_challenge: described(
    Parameter,
    'Of PKCE: base64url of the SHA-256 of the verifier (RFC 7636, section 4.2)',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  code_challenge_method: described(Parameter, '`S256`', 'S256'),
  issuer_state: Parameter.describe('Of the offer, where there was one'),
  dpop_jkt: Parameter.describe('The thumbprint of the key to which the token is to be bound (RFC 9449, section 10)'),
  request_uri: Parameter.describe('Of a pushed request; then `client_id` is all that is needed beside it'),
})

export const PushedResponse = named(
  'PushedAuthorizationRequest',
  'An authorization request that was pushed (RFC 9126)',
  z.object({
    request_uri: described(
      z.string(),
      'Stands for the request at the authorization endpoint',
      'urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c',
    ),
    expires_in: described(z.number().int(), 'For how many seconds it can be used', 60),
  }),
)

export type Parameters = Record<string, string>

/** The parameters that have one value. `undefined` when one of ours is repeated. */
export function singleValues(query: z.infer<typeof AuthorizationQuery>): Parameters | undefined {
  const entries = Object.entries(query)
  const isRepeated = entries.some(
    ([name, value]) => Array.isArray(value) && Object.hasOwn(AuthorizationQuery.shape, name),
  )
  if (isRepeated) return undefined
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  )
}

/** The parameters that mean something here or to the provider. What else a wallet sends is nobody's to keep. */
export function meaningful(parameters: Parameters, forwarded: readonly string[]): Parameters {
  const isMeant = (name: string) => Object.hasOwn(AuthorizationQuery.shape, name) || forwarded.includes(name)
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => isMeant(name)))
}
