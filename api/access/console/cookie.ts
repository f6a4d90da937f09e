import { cookiesOf } from '../../http/cookies.ts'
import type { Headers } from '../../http/route.ts'
import type { Tenant } from '../subjects.ts'

/** Cookies of the console: the session's, and that of who was sent to a provider and is to come back. */
type Name = 'console' | 'console-sign-in'

/** Of this host alone, whatever its neighbours set (RFC 6265bis, section 4.1.3.2), which a browser holds to where it is https. */
function nameOf(tenant: Tenant, name: Name): string {
  return isHttps(tenant) ? `__Host-${name}` : name
}

export function consoleCookie(tenant: Tenant, headers: Headers, name: Name): string | undefined {
  return cookiesOf(headers).get(nameOf(tenant, name))
}

/** `Set-Cookie`. One without `forSeconds` goes with the browser; 0 takes it back. `Lax` comes along when another site sends the browser here. */
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
