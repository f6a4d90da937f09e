import { z } from 'zod'
import { described } from '../../http/fields.ts'

const content = {
  url: described(
    z.string().max(2000),
    'Where people are sent after they have signed in: https, or the own scheme of an app with a dot in it, such as ' +
      '`com.example.app:/step`. They come with `session_token`: an HS256 JWT under the secret, with `iss`, ' +
      '`aud` (this url), `state`, `redirectUrl`, `claims`, `iat` and `exp`',
    'https://hook.example.org/step',
  ),
  claims: described(
    z.array(z.string().min(1).max(200)).max(100).default([]),
    'Names of claims of the user that the component is told',
    ['given_name'],
  ),
  sessionTimeoutInSec: z
    .number()
    .int()
    .min(30)
    .max(86_400)
    .default(1200)
    .describe('How many seconds a person has for it, from 30 to 86,400'),
  disabled: z.boolean().default(false).describe('People are not sent there'),
}

const renewSecret = z
  .boolean()
  .default(false)
  .describe('Makes another secret. The one before is good no more: who is at the component begins again')

export const OpenIdConfiguration = z.object({
  interactionHook: z
    .object({ ...content, renewSecret })
    .describe('A component of yours that people pass after they have signed in'),
})

export const OpenIdConfigurationView = z.object({
  interactionHook: z
    .object({
      ...content,
      secret: described(
        z.string(),
        '32 bytes in base64: the key of the session tokens, HS256',
        'eW91IHdpbGwgbmV2ZXIgZ3Vlc3MgdGhpcyBzZWNyZXQ=',
      ),
    })
    .optional()
    .describe('Absent until one was put'),
})

export const HookTestView = z.object({
  works: described(z.boolean(), 'Whether the component took the session token, with any status below 400', true),
  message: described(
    z.string(),
    'What was found',
    'The component took a session token about nobody, and answered with status 200',
  ),
})
