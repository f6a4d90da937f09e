import { z } from 'zod'
import { described, secret } from '../../http/fields.ts'
import { consoleHome, parseReturnPath } from './return-path.ts'

export const SignInOptionsView = z.object({
  isPlatform: z.boolean().describe('Whether this is the host of the platform, which manages tenants'),
  tenantName: described(z.string(), 'The name of the tenant of this host', 'University'),
  provider: z
    .object({ name: described(z.string(), 'The label of the sign-in button', 'University login') })
    .optional()
    .describe('The sign-in provider, if one is configured'),
})

export const BeginSignIn = z.object({
  return: described(
    z
      .string()
      .max(1000)
      .transform((text, ctx) => {
        const path = parseReturnPath(text)
        if (path !== undefined) return path
        ctx.addIssue({ code: 'custom', message: `Must be a path that starts with ${consoleHome}` })
        return z.NEVER
      })
      .default(consoleHome),
    'The page of the console to open after the sign-in',
    '/console/offers',
  ),
})

export const BegunSignInView = z.object({
  url: described(
    z.string(),
    "The provider's page. Open it in this browser within 10 minutes.",
    'https://login.example.org/authorize?client_id=trustwright',
  ),
})

export const ProviderAnswer = z.looseObject({
  state: z.string().max(2_000).optional().describe('Identifies the sign-in'),
  code: secret(z.string().max(8_000)).optional().describe('The authorization code, after a successful sign-in'),
  error: z.string().max(500).optional().describe('The error code, after a failed sign-in'),
  iss: z.string().max(2_000).optional().describe('The issuer of the response (RFC 9207)'),
})
