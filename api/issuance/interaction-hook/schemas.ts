import { z } from 'zod'

const content = {
  url: z
    .string()
    .max(2000)
    .describe(
      'Where people are sent after they have signed in, with `session_token`: an HS256 JWT under the secret, with `iss`, ' +
        '`aud` (this url), `state`, `redirectUrl`, `claims`, `iat` and `exp`',
    ),
  claims: z
    .array(z.string().min(1).max(200))
    .max(100)
    .default([])
    .describe('Names of claims of the user that the component is told'),
  sessionTimeoutInSec: z.number().int().min(30).max(86_400).default(1200),
  disabled: z.boolean().default(false),
}

export const OpenIdConfiguration = z.object({ interactionHook: z.object(content) })

export const OpenIdConfigurationView = z.object({
  interactionHook: z
    .object({ ...content, secret: z.string().describe('32 bytes in base64: the key of the session tokens, HS256') })
    .optional()
    .describe('Absent until one was put'),
})
