import type { AuthorizationRow } from '../../../db/repos/issuance/sessions/authorizations.ts'
import type { Problem } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import { issuerOfRow } from '../../access/views.ts'
import { Answer } from '../../http/representations/answer.ts'

/** The destination of a response: a checked redirect URI and the client's state, and the view that got the request. */
export type Destination = Pick<AuthorizationRow, 'redirectUri' | 'clientState' | 'viewId'>

export interface Redirect {
  /** The refusal that the address reports, if any. */
  refused?: Problem | undefined
  /** `Set-Cookie` */
  cookies?: string[]
}

/** Redirects the browser. */
export function redirectAnswer(address: string, { refused, cookies = [] }: Redirect = {}): Answer {
  const headers = { Location: address, 'Referrer-Policy': 'no-referrer', 'Set-Cookie': cookies }
  return new Answer(undefined, { headers, refused })
}

/**
 * Returns the wallet's redirect URI with the response parameters and `iss` (RFC 9207, section 2), for successes and
 * errors. The URI of the wallet stays unchanged byte for byte (RFC 6749, section 3.1.2).
 */
export function redirectTo(tenant: Tenant, to: Destination, answer: Record<string, string>) {
  const { redirectUri, clientState } = to
  const state = clientState === null ? {} : { state: clientState }
  const parameters = new URLSearchParams({ ...answer, ...state, iss: issuerOfRow(tenant, to) })
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&'
  return `${redirectUri}${separator}${parameters}`
}
