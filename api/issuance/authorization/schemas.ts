import { z } from 'zod'
import { described, named } from '../../http/fields.ts'

/**
 * RFC 6749, section 3.1: a parameter must not be repeated, and a parameter without a value counts as omitted. A
 * repeated parameter is parsed as an array, which the handler refuses. The API reference documents the type string.
 */
const Parameter = z
  .custom<string | string[]>((value) => typeof value === 'string' || Array.isArray(value), 'Must be a string')
  .meta({ type: 'string' })
  .optional()

/**
 * The documented parameters. `read-request.ts` checks their values. Other parameters are ignored or forwarded to the
 * provider.
 */
export const AuthorizationQuery = z.looseObject({
  response_type: described(Parameter, '`code`', 'code'),
  response_mode: Parameter.describe('`query`'),
  client_id: described(Parameter, 'The client id of the wallet', 'campus-wallet'),
  redirect_uri: described(
    Parameter,
    'The URI that receives the code. It must be one of the redirect URIs of the registered wallet.',
    'https://wallet.example.org/callback',
  ),
  scope: described(Parameter, 'Scopes of configurations, separated by spaces', 'cwt:CourseCertificate'),
  authorization_details: Parameter.describe('A JSON array of `openid_credential` objects'),
  state: described(Parameter, 'Returned unchanged with the code', 'af0ifjsldkj'),
  code_challenge: described(
    Parameter,
    'The PKCE code challenge: base64url of the SHA-256 of the verifier (RFC 7636, section 4.2)',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  code_challenge_method: described(Parameter, '`S256`', 'S256'),
  issuer_state: Parameter.describe('The `issuer_state` of the offer, if there was one'),
  dpop_jkt: Parameter.describe('The thumbprint of the key to which the token will be bound (RFC 9449, section 10)'),
  request_uri: Parameter.describe('The reference of a pushed request. It needs only `client_id` beside it.'),
})

export const PushedResponse = named(
  'PushedAuthorizationRequest',
  'A pushed authorization request (RFC 9126)',
  z.object({
    request_uri: described(
      z.string(),
      'References the request at the authorization endpoint',
      'urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c',
    ),
    expires_in: described(z.number().int(), 'The lifetime in seconds', 60),
  }),
)

export type Parameters = Record<string, string>

/** Returns the parameters that have one value. Returns `undefined` if a documented parameter is repeated. */
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

/** Returns the parameters that this service or the provider uses. Other parameters of the wallet are not stored. */
export function storedParameters(parameters: Parameters, forwarded: readonly string[]): Parameters {
  const isUsed = (name: string) => Object.hasOwn(AuthorizationQuery.shape, name) || forwarded.includes(name)
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => isUsed(name)))
}
