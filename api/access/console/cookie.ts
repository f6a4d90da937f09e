import { cookiesOf } from '../../http/cookies.ts'
import type { Headers } from '../../http/route.ts'
import type { Tenant } from '../subjects.ts'

/** Cookies of the console: the session cookie, and the cookie of a sign-in that is in progress at a provider. */
type Name = 'console' | 'console-sign-in'

/** Binds the cookie to this host with the `__Host-` prefix (RFC 6265bis, section 4.1.3.2). Browsers enforce it only for https. */
function nameOf(tenant: Tenant, name: Name): string {
  return isHttps(tenant) ? `__Host-${name}` : name
}

export function consoleCookie(tenant: Tenant, headers: Headers, name: Name): string | undefined {
  return cookiesOf(headers).get(nameOf(tenant, name))
}

/**
 * Returns a `Set-Cookie` value. Without `forSeconds` the cookie ends when the browser closes. 0 deletes the cookie. The browser also
 * sends a `Lax` cookie when another site redirects to this host.
 */
export function setConsoleCookie(
  tenant: Tenant,
  name: Name,
  { value, sameSite, forSeconds }: { value: string; sameSite: 'Strict' | 'Lax'; forSeconds?: number },
): string {
  const secure = isHttps(tenant) ? '; Secure' : ''
  const maxAge = forSeconds === undefined ? '' : `; Max-Age=${forSeconds}`
  return `${nameOf(tenant, name)}=${value}; Path=/; HttpOnly; SameSite=${sameSite}${secure}${maxAge}`
}

function isHttps({ baseUrl }: Tenant): boolean {
  return baseUrl.startsWith('https:')
}
