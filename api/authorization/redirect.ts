import type { AuthorizationRow } from '../../db/repos/authorizations.ts'
import type { Problem } from '../../shared/errors.ts'
import type { Tenant } from '../access/subjects.ts'
import { Answer } from '../http/route.ts'

/** Where an answer goes: a client and redirect URI that were checked. */
export type Destination = Pick<AuthorizationRow, 'redirectUri' | 'clientState'>

/** Sends the browser on. `refused` is what the address tells of, where it does. */
export function answerBy(url: URL, refused?: Problem): Answer {
  return new Answer(undefined, { headers: { Location: url.href, 'Referrer-Policy': 'no-referrer' }, refused })
}

/** The wallet's redirect URI with an answer, and `iss` (RFC 9207, section 2) in successes and errors alike. */
export function redirectTo(tenant: Tenant, to: Destination, answer: Record<string, string>): URL {
  const url = new URL(to.redirectUri)
  const parameters = { ...answer, ...(to.clientState === null ? {} : { state: to.clientState }), iss: tenant.baseUrl }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}
