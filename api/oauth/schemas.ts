import { z } from 'zod'

const Text = z.string().min(1).max(4000)

/** Parameters of every grant; which of them one needs, its own file says. Others, such as `resource`, are ignored. */
export const TokenRequest = z.object({
  grant_type: Text,
  client_id: Text.optional(),
  'pre-authorized_code': Text.optional(),
  tx_code: Text.optional(),
  authorization_details: z.string().max(50_000).optional().describe('A JSON array of `openid_credential` objects'),
})

export type TokenRequest = z.infer<typeof TokenRequest>

export const TokenResponse = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().int().describe('Seconds'),
  scope: z.string(),
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
