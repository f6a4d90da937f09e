import { z } from 'zod'
import { described, exampleBaseUrl, named } from '../http/fields.ts'

export const checks = ['discovery', 'keys', 'flow', 'client', 'scope', 'claim'] as const

/** The result of each check of a test. */
export const ProviderCheckResult = named('CheckResult', 'Result of a check', z.enum(['passed', 'failed', 'unknown']))

const Check = z.object({
  check: described(z.enum(checks), 'Name of the check', 'discovery'),
  result: described(
    ProviderCheckResult,
    '`unknown` if the provider does not declare it, or if it cannot be checked before the first sign-in',
    'failed',
  ),
  message: described(z.string(), 'Result of the check, and what to do if it failed', 'The connection failed'),
})

export const ProviderTestView = z.object({
  works: described(z.boolean(), 'Whether no check failed', false),
  redirectUrl: described(
    z.string(),
    'Redirect URL to which the provider returns users. Register it at the provider.',
    `${exampleBaseUrl}/console/session/callback`,
  ),
  checks: z.array(Check).describe('In the order in which they ran. If `discovery` failed, no other check runs.'),
})
