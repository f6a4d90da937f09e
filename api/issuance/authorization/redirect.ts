import type { AuthorizationRow } from '../../../db/repos/issuance/authorizations.ts'
import type { Problem } from '../../../shared/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import { Answer } from '../../http/representations/answer.ts'

/** Where an answer goes: a client and redirect URI that were checked. */
export type Destination = Pick<AuthorizationRow, 'redirectUri' | 'clientState'>

export interface Redirect {
  /** What the address tells of, where it tells of a refusal. */
  refused?: Problem | undefined
  /** `Set-Cookie` */
  cookies?: string[]
}

/** Sends the browser on. */
export function answerBy(address: string, { refused, cookies = [] }: Redirect = {}): Answer {
  const headers = { Location: address, 'Referrer-Policy': 'no-referrer', 'Set-Cookie': cookies }
  return new Answer(undefined, { headers, refused })
}

/**
 * The wallet's redirect URI with an answer, and `iss` (RFC 9207, section 2) in successes and errors alike. What the wallet
 * has in its URI stays byte for byte as it is (RFC 6749, section 3.1.2).
 */
export function redirectTo(tenant: Tenant, { redirectUri, clientState }: Destination, answer: Record<string, string>) {
  const state = clientState === null ? {} : { state: clientState }
  const parameters = new URLSearchParams({ ...answer, ...state, iss: tenant.baseUrl })
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&'
  return `${redirectUri}${separator}${parameters}`
}
