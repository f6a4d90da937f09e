import { z } from 'zod'
import { described, secret } from '../../http/fields.ts'

/** VSCHAR of RFC 6749, appendix A. */
const Text = z
  .string()
  .max(4000)
  .regex(/^[\x20-\x7e]*$/, 'Must be printable ASCII')

/** RFC 6749, section 3.2: a parameter without a value counts as omitted. */
const OptionalText = Text.transform((text) => text || undefined).optional()

const SecretText = secret(Text)
  .transform((text) => text || undefined)
  .optional()

export const exampleAccessToken = 'Jx0vNz4bRc7dEf1gHj6aXi9oQeUkVlMpT5mYw2sKq8u'

/** The parameters of all grants. Each grant checks its own. Others, such as `resource`, are ignored. */
export const TokenRequest = z.object({
  grant_type: described(
    Text.min(1),
    '`authorization_code`, `urn:ietf:params:oauth:grant-type:pre-authorized_code` or `refresh_token`',
    'urn:ietf:params:oauth:grant-type:pre-authorized_code',
  ),
  client_id: OptionalText.describe('The client id of the wallet. Required except for a pre-authorized code'),
  'pre-authorized_code': described(
    SecretText,
    'The pre-authorized code of an offer',
    'kq3fWk2mC8u0oYJx1n4bTz7rVh5sLd9eGiPaUyQwXcM',
  ),
  tx_code: SecretText.describe('The code that the holder entered, if the offer requires one'),
  code: SecretText.describe('The authorization code'),
  redirect_uri: OptionalText.describe('As in the authorization request'),
  code_verifier: SecretText.describe('The PKCE code verifier (RFC 7636, section 4.5)'),
  refresh_token: SecretText.describe('The refresh token of an earlier response, valid once'),
  authorization_details: z
    .string()
    .max(50_000)
    .transform((text) => text || undefined)
    .optional()
    .describe('A JSON array of `openid_credential` objects'),
})

export type TokenRequest = z.infer<typeof TokenRequest>

/** RFC 7009, section 2.1. */
export const RevocationRequest = z.object({
  token: described(
    secret(Text.min(1)),
    'The access token or refresh token',
    'mT8uWq3zLk5nRb1xVc7yPd2sGf9hJa4eOi6wUkXoYtM',
  ),
  token_type_hint: OptionalText.describe(
    '`access_token` or `refresh_token`, for a faster search. Other values are ignored',
  ),
  client_id: OptionalText.describe('The client id of the wallet. Required if the token was issued to one'),
})

export type RevocationRequest = z.infer<typeof RevocationRequest>

export const TokenResponse = z.object({
  access_token: described(z.string(), 'The access token for the credential endpoint', exampleAccessToken),
  token_type: described(
    z.enum(['Bearer', 'DPoP']),
    '`DPoP` if the token is bound to a key: send it with this scheme and a proof (RFC 9449)',
    'Bearer',
  ),
  expires_in: described(z.number().int(), 'The lifetime in seconds', 300),
  scope: described(z.string(), 'The granted scopes, separated by spaces', 'cwt:CourseCertificate'),
  refresh_token: z.string().optional().describe('Only with a token that is bound to a key'),
  c_nonce: z.string().optional().describe('Only if the tenant is lenient, for wallets of drafts 11 to 13'),
  c_nonce_expires_in: z.number().int().optional().describe('The lifetime of `c_nonce` in seconds'),
  authorization_details: z
    .array(
      z.object({
        type: z.literal('openid_credential').describe('The type of the details'),
        credential_configuration_id: z.string().describe('The configuration'),
        credential_identifiers: z.array(z.string()).describe('The identifiers for credential requests'),
      }),
    )
    .optional()
    .describe('The granted credentials, if the request had `authorization_details`'),
})

export type TokenResponse = z.infer<typeof TokenResponse>

/** OAuth attestation-based client authentication, draft 11, section "Providing Challenges through the Challenge Endpoint". */
export const ChallengeResponse = z.object({
  attestation_challenge: described(
    z.string(),
    'The value of `challenge` in the proof of possession. It is valid for five minutes',
    'AZ3vyP1kTNSTx0WmdyfJ2x8gV7S1pA.2mW0v3kAq5m1fM0d1sW4mX5kYtVYb1mUqcv7Yd7yq1Q',
  ),
})
