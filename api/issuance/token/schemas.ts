import { z } from 'zod'
import { described, secret } from '../../http/fields.ts'

/** VSCHAR of RFC 6749, appendix A. */
const Text = z
  .string()
  .max(4000)
  .regex(/^[\x20-\x7e]*$/, 'Must be printable ASCII')

/** RFC 6749, section 3.2: a parameter without a value is as if it were not there. */
const OptionalText = Text.transform((text) => text || undefined).optional()

const SecretText = secret(Text)
  .transform((text) => text || undefined)
  .optional()

export const exampleAccessToken = 'Jx0vNz4bRc7dEf1gHj6aXi9oQeUkVlMpT5mYw2sKq8u'

/** Parameters of every grant; which of them one needs, its own file says. Others, such as `resource`, are ignored. */
export const TokenRequest = z.object({
  grant_type: described(
    Text.min(1),
    '`authorization_code`, `urn:ietf:params:oauth:grant-type:pre-authorized_code` or `refresh_token`',
    'urn:ietf:params:oauth:grant-type:pre-authorized_code',
  ),
  client_id: OptionalText.describe('How the wallet calls itself; needed but for the code of an offer'),
  'pre-authorized_code': described(SecretText, 'The code of an offer', 'kq3fWk2mC8u0oYJx1n4bTz7rVh5sLd9eGiPaUyQwXcM'),
  tx_code: SecretText.describe('What the holder typed, where the offer wants a code'),
  code: SecretText.describe('The code with which the holder came back to the wallet'),
  redirect_uri: OptionalText.describe('As in the authorization request'),
  code_verifier: SecretText.describe('Of PKCE (RFC 7636, section 4.5)'),
  refresh_token: SecretText.describe('Of an earlier answer; it is good once'),
  authorization_details: z
    .string()
    .max(50_000)
    .transform((text) => text || undefined)
    .optional()
    .describe('A JSON array of `openid_credential` objects'),
})

export type TokenRequest = z.infer<typeof TokenRequest>

export const TokenResponse = z.object({
  access_token: described(z.string(), 'For the credential endpoint', exampleAccessToken),
  token_type: described(
    z.enum(['Bearer', 'DPoP']),
    '`DPoP` where the token is bound to a key: it is sent under this scheme, with a proof (RFC 9449)',
    'Bearer',
  ),
  expires_in: described(z.number().int(), 'For how many seconds it is good', 300),
  scope: described(z.string(), 'What can be asked for, separated by spaces', 'cwt:CourseCertificate'),
  refresh_token: z.string().optional().describe('Only with a token that is bound to a key'),
  c_nonce: z.string().optional().describe('Where the tenant is lenient, for wallets of drafts 11 to 13'),
  c_nonce_expires_in: z.number().int().optional().describe('For how many seconds `c_nonce` is good'),
  authorization_details: z
    .array(
      z.object({
        type: z.literal('openid_credential').describe('A credential'),
        credential_configuration_id: z.string().describe('The configuration'),
        credential_identifiers: z.array(z.string()).describe('What the credential is asked for by'),
      }),
    )
    .optional()
    .describe('What can be asked for, where the request had `authorization_details`'),
})

export type TokenResponse = z.infer<typeof TokenResponse>
