import { Problem } from '../../../shared/errors.ts'
import { html } from '../../../shared/pages/html.ts'
import { renderPage } from '../../../shared/pages/page.ts'
import type { Tenant } from '../../access/subjects.ts'
import { Answer } from '../../http/representations/answer.ts'
import { home } from './return-path.ts'

/** What the console is told of a sign-in that came to nothing, behind `#error=`; the page has the sentences. */
const failures = {
  expired: 'sign_in_expired',
  cancelled: 'sign_in_cancelled',
  failed: 'sign_in_failed',
  unavailable: 'sign_in_unavailable',
  no_role: 'forbidden',
  changed: 'sign_in_expired',
} as const

export type SignInFailure = keyof typeof failures

/** Sends the browser back to the console with one word. `reason` is for the operator, in events. */
export function failedWith(tenant: Tenant | undefined, failure: SignInFailure, cookie: string, reason: string): Answer {
  const refused = new Problem(failures[failure], { reason })
  return goOn(tenant, `${home}#error=${failure}`, { cookies: [cookie], refused })
}

/**
 * A page of this host that goes on by itself: a browser that comes from another site would not send the session's cookie, which is
 * `Strict`, where a redirect leads it. What the provider has put into the address goes no further.
 */
export function goOn(
  tenant: Tenant | undefined,
  path: string,
  { cookies = [], refused }: { cookies?: string[]; refused?: Problem } = {},
): Answer {
  const content = html`<h1>Signing in</h1>\n<a class="action" href="${path}">Go on to the console</a>`
  const look = { name: tenant?.name ?? 'Trustwright' }
  const { body, headers } = renderPage({ language: 'en', title: 'Signing in', look, content })
  return new Answer(body, { headers: { ...headers, Refresh: `0;url=${path}`, 'Set-Cookie': cookies }, refused })
}
