import { expect, test } from 'vitest'
import type { Tenant } from '../../../api/access/subjects.ts'
import { withReturnLink } from '../../../api/issuance/authorization/return-link.ts'
import type { AuthorizationRow } from '../../../db/repos/issuance/sessions/authorizations.ts'
import { Problem } from '../../../shared/errors/errors.ts'

// Boundary: the members of a tenant and an authorization that the link needs.
const tenant = { baseUrl: 'https://university.example' } as Tenant
const redirectUri = 'https://wallet.example/back'
const authorization = { registrationId: 'wallet', redirectUri, viewId: null } as AuthorizationRow

test('a problem with a return link is a copy, and the given problem keeps no link', () => {
  const headers = { 'Set-Cookie': 'ended' }
  const signInProblem = new Problem('sign_in_failed', {
    reason: 'Unknown state',
    headers,
    isWrongSecret: true,
    cause: 'cause',
  })
  const linked = withReturnLink(tenant, authorization, signInProblem)

  expect(linked.returnTo).toContain('https://wallet.example/back?error=access_denied')
  expect(signInProblem.returnTo).toBeUndefined()
  const { problem, message, reason, details, retryAfterSeconds, isWrongSecret, isWrongGuess, cause } = signInProblem
  const copied = { problem, message, reason, details, headers, retryAfterSeconds, isWrongSecret, isWrongGuess, cause }
  expect(linked).toMatchObject(copied)
})
