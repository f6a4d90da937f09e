import { z } from 'zod'
import { described, secret } from '../../http/fields.ts'
import { home, returnPathOf } from './return-path.ts'

export const WaysInView = z.object({
  isPlatform: z.boolean().describe('Whether this is the host of the platform, where tenants are managed'),
  tenantName: described(z.string(), 'Of the tenant whose host was addressed', 'University'),
  provider: z
    .object({ name: described(z.string(), 'What the button is called', 'University login') })
    .optional()
    .describe('Where people can sign in, if there is a provider'),
})

export const BeginSignIn = z.object({
  return: described(
    z
      .string()
      .max(1000)
      .transform((text, ctx) => {
        const path = returnPathOf(text)
        if (path !== undefined) return path
        ctx.addIssue({ code: 'custom', message: `Must be a path that begins with ${home}` })
        return z.NEVER
      })
      .default(home),
    'Where in the console to go on',
    '/console/offers',
  ),
})

export const BegunSignInView = z.object({
  url: described(
    z.string(),
    "The provider's page, to be opened in this browser within 10 minutes",
    'https://login.example.org/authorize?client_id=trustwright',
  ),
})

export const ProviderAnswer = z.looseObject({
  state: z.string().max(2_000).optional().describe('Which sign-in it is'),
  code: secret(z.string().max(8_000)).optional().describe('Where the person signed in'),
  error: z.string().max(500).optional().describe('Where the person did not, or could not'),
  iss: z.string().max(2_000).optional().describe('Who answers (RFC 9207)'),
})
