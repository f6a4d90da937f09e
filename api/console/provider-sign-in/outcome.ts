import { Problem } from '../../../shared/errors/errors.ts'
import { html } from '../../../shared/pages/html.ts'
import { renderPage } from '../../../shared/pages/page.ts'
import type { Tenant } from '../../access/subjects.ts'
import { Answer } from '../../http/representations/answer.ts'
import { consoleHome } from './return-path.ts'

/**
 * The problem for each failure of a sign-in. The console gets the failure in the URL fragment (`#error=`) and shows a text
 * for it.
 */
const failures = {
  expired: 'sign_in_expired',
  cancelled: 'sign_in_cancelled',
  failed: 'sign_in_failed',
  unavailable: 'sign_in_unavailable',
  no_role: 'forbidden',
  changed: 'sign_in_expired',
} as const

export type SignInFailure = keyof typeof failures

/** Returns the browser to the console with the failure. `reason` is for the operator, in events. */
export function failSignIn(tenant: Tenant | undefined, failure: SignInFailure, cookie: string, reason: string): Answer {
  const refused = new Problem(failures[failure], { reason })
  return continueAt(tenant, `${consoleHome}#error=${failure}`, { cookies: [cookie], refused })
}

/**
 * Answers with a page of this host that forwards to `path`. After a redirect from another site, a browser does not send the session
 * cookie, which is `SameSite=Strict`. The query parameters of the provider are not forwarded.
 */
export function continueAt(
  tenant: Tenant | undefined,
  path: string,
  { cookies = [], refused }: { cookies?: string[]; refused?: Problem } = {},
): Answer {
  const content = html`<h1>Signing in</h1>\n<a class="action" href="${path}">Continue to the console</a>`
  const branding = { name: tenant?.name ?? 'Trustwright' }
  const { body, headers } = renderPage({ language: 'en', title: 'Signing in', branding, content })
  return new Answer(body, { headers: { ...headers, Refresh: `0;url=${path}`, 'Set-Cookie': cookies }, refused })
}
