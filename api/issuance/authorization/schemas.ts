import { z } from 'zod'

/** RFC 6749, section 3.1: a parameter may not be repeated, and one without a value is as if it were not there. */
const Parameter = z.union([z.string(), z.array(z.string())]).optional()

/** Named for the reference; what they have to be, `read-request.ts` says. Others are ignored, or meant for the provider. */
export const AuthorizationQuery = z.looseObject({
  response_type: Parameter.describe('`code`'),
  response_mode: Parameter.describe('`query`'),
  client_id: Parameter,
  redirect_uri: Parameter,
  scope: Parameter,
  authorization_details: Parameter.describe('A JSON array of `openid_credential` objects'),
  state: Parameter,
  code_challenge: Parameter,
  code_challenge_method: Parameter.describe('`S256`'),
  issuer_state: Parameter,
  dpop_jkt: Parameter,
  request_uri: Parameter.describe('Of a pushed request; then `client_id` is all that is needed beside it'),
})

export const PushedResponse = z.object({
  request_uri: z.string(),
  expires_in: z.number().int().describe('Seconds'),
})

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
