import { z } from 'zod'
import { described } from '../../http/fields.ts'

const content = {
  url: described(
    z.string().max(2000),
    'The URL that people open after the sign-in: https, or the private-use URI scheme of an app with a dot in it, such as ' +
      '`com.example.app:/step`. The request has a `session_token`: an HS256 JWT signed with the secret, with `iss`, ' +
      '`aud` (this url), `state`, `redirectUrl`, `claims`, `iat` and `exp`',
    'https://hook.example.org/step',
  ),
  claims: described(
    z.array(z.string().min(1).max(200)).max(100).default([]),
    "The names of the user's claims that the component receives",
    ['given_name'],
  ),
  sessionTimeoutInSec: z
    .number()
    .int()
    .min(30)
    .max(86_400)
    .default(1200)
    .describe('The time in seconds that a person has for the interaction, from 30 to 86,400'),
  disabled: z.boolean().default(false).describe('People skip the component'),
}

const renewSecret = z
  .boolean()
  .default(false)
  .describe('Creates a new secret. The old secret becomes invalid, and people in an interaction must start again')

export const OpenIdConfiguration = z.object({
  interactionHook: z
    .object({ ...content, renewSecret })
    .describe('A component of the operator that people visit after the sign-in'),
})

export const OpenIdConfigurationView = z.object({
  interactionHook: z
    .object({
      ...content,
      secret: described(
        z.string(),
        'The HS256 key of the session tokens: 32 bytes in base64',
        'eW91IHdpbGwgbmV2ZXIgZ3Vlc3MgdGhpcyBzZWNyZXQ=',
      ),
    })
    .optional()
    .describe('Absent until a hook is configured'),
})

export const HookTestView = z.object({
  works: described(z.boolean(), 'Whether the component accepted the session token, with any status below 400', true),
  message: described(
    z.string(),
    'The result of the test',
    'The component accepted a session token without a person and answered with status 200',
  ),
})
