import { z } from 'zod'
import { described, exampleBaseUrl, named } from '../http/fields.ts'

export const checks = ['discovery', 'keys', 'flow', 'client', 'scope', 'claim'] as const

/** Of each thing that is looked at when something is tried. */
export const ProviderCheckResult = named('CheckResult', 'What came of a check', z.enum(['passed', 'failed', 'unknown']))

const Check = z.object({
  check: described(z.enum(checks), 'What was looked at', 'discovery'),
  result: described(
    ProviderCheckResult,
    '`unknown` where the provider does not say, or nobody can tell before somebody signs in',
    'failed',
  ),
  message: described(z.string(), 'What was found, or what is to be done', 'The connection failed'),
})

export const ProviderTestView = z.object({
  works: described(z.boolean(), 'Whether nothing failed', false),
  redirectUrl: described(
    z.string(),
    'Where the provider sends people back to: it has to be registered there',
    `${exampleBaseUrl}/console/session/callback`,
  ),
  checks: z.array(Check).describe('In the order in which they were made; after `discovery` failed, none'),
})
