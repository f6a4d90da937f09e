import { equalInConstantTime } from '../../shared/secrets.ts'
import type { Tenant } from '../access/subjects.ts'
import type { Deps } from '../deps.ts'
import type { Headers } from '../http/route.ts'

/** As long as the longest time that an interaction may take, and the login before it. */
const maxAgeSeconds = 90_000

/**
 * `Set-Cookie` for the browser that starts an authorization: signed, and of that authorization alone, so that nobody can
 * carry on in another browser, or be made to carry on another's.
 */
export function browserCookie(deps: Deps, tenant: Tenant, authorizationId: string): string {
  const secure = tenant.baseUrl.startsWith('https:') ? '; Secure' : ''
  const attributes = `Path=/v1/oauth; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
  return `${cookieName(authorizationId)}=${signatureOf(deps, tenant, authorizationId)}; ${attributes}`
}

export function isSameBrowser(deps: Deps, tenant: Tenant, headers: Headers, authorizationId: string): boolean {
  const signature = cookiesOf(headers).get(cookieName(authorizationId))
  return signature !== undefined && equalInConstantTime(signature, signatureOf(deps, tenant, authorizationId))
}

function signatureOf({ secrets }: Deps, { id }: Tenant, authorizationId: string): string {
  return secrets.mac('browser', `${id} ${authorizationId}`)
}

/** Several authorizations may be under way in one browser. */
function cookieName(authorizationId: string): string {
  return `authorization-${authorizationId}`
}

function cookiesOf({ cookie }: Headers): Map<string, string> {
  const pairs = typeof cookie === 'string' ? cookie.split(';') : []
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )
}
