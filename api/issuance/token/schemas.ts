import { z } from 'zod'
import { secret } from '../../http/fields.ts'

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

/** Parameters of every grant; which of them one needs, its own file says. Others, such as `resource`, are ignored. */
export const TokenRequest = z.object({
  grant_type: Text.min(1),
  client_id: OptionalText,
  'pre-authorized_code': SecretText,
  tx_code: SecretText,
  code: SecretText,
  redirect_uri: OptionalText,
  code_verifier: SecretText,
  refresh_token: SecretText,
  authorization_details: z
    .string()
    .max(50_000)
    .transform((text) => text || undefined)
    .optional()
    .describe('A JSON array of `openid_credential` objects'),
})

export type TokenRequest = z.infer<typeof TokenRequest>

export const TokenResponse = z.object({
  access_token: z.string(),
  token_type: z.enum(['Bearer', 'DPoP']),
  expires_in: z.number().int().describe('Seconds'),
  scope: z.string(),
  refresh_token: z.string().optional().describe('Only with a token that is bound to a key'),
  c_nonce: z.string().optional().describe('Where the tenant is lenient, for wallets of drafts 11 to 13'),
  c_nonce_expires_in: z.number().int().optional().describe('Seconds'),
  authorization_details: z
    .array(
      z.object({
        type: z.literal('openid_credential'),
        credential_configuration_id: z.string(),
        credential_identifiers: z.array(z.string()),
      }),
    )
    .optional(),
})

export type TokenResponse = z.infer<typeof TokenResponse>
