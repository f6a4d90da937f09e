import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { cookiesOf } from '../../http/cookies.ts'
import type { Headers } from '../../http/route.ts'

/** The maximum duration of an interaction plus the login before it. */
const maxAgeSeconds = 90_000

/** Limits the authorizations in progress per browser. More cookies would exceed the size limit of request headers. */
const maxCookies = 5
const lastName = 'last-authorization'

/**
 * Returns `Set-Cookie` headers for the browser that starts an authorization. The cookie is signed and valid for this
 * authorization only. So no other browser can continue it, and a browser cannot be made to continue the authorization
 * of another one. The oldest cookies above the limit are removed.
 */
export function beginCookies(deps: Deps, tenant: Tenant, headers: Headers, authorizationId: string): string[] {
  const own = setCookie(tenant, cookieName(authorizationId), signatureOf(deps, tenant, authorizationId), maxAgeSeconds)
  // Ids are ordered by time, and so are the cookie names.
  const existing = [...cookiesOf(headers).keys()].filter((name) => name.startsWith(cookieName(''))).sort()
  const dropped = existing.slice(0, Math.max(0, existing.length + 1 - maxCookies))
  return [own, ...dropped.map((name) => setCookie(tenant, name, '', 0))]
}

/**
 * Returns `Set-Cookie` headers for the end of an authorization. They remove its cookie and store the last ended
 * authorization under one name, for a person who reloads the page or goes back to it.
 */
export function endCookies(deps: Deps, tenant: Tenant, authorizationId: string): string[] {
  const last = `${authorizationId}.${signatureOf(deps, tenant, authorizationId)}`
  return [setCookie(tenant, cookieName(authorizationId), '', 0), setCookie(tenant, lastName, last, maxAgeSeconds)]
}

export function isSameBrowser(deps: Deps, tenant: Tenant, headers: Headers, authorizationId: string): boolean {
  const cookies = cookiesOf(headers)
  const own = cookies.get(cookieName(authorizationId)) ?? ''
  const [lastId, last = ''] = cookies.get(lastName)?.split('.') ?? []
  const isSigned = (signature: string) =>
    deps.secrets.ofTenant(tenant).isMac(signature, 'browser', signed(tenant, authorizationId))
  return isSigned(own) || (lastId === authorizationId && isSigned(last))
}

function setCookie(tenant: Tenant, name: string, value: string, forSeconds: number): string {
  const secure = tenant.baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/v1/oauth; Max-Age=${forSeconds}; HttpOnly; SameSite=Lax${secure}`
}

function signatureOf({ secrets }: Deps, tenant: Tenant, authorizationId: string): string {
  return secrets.ofTenant(tenant).mac('browser', signed(tenant, authorizationId))
}

const signed = ({ id }: Tenant, authorizationId: string) => `${id} ${authorizationId}`

function cookieName(authorizationId: string): string {
  return `authorization-${authorizationId}`
}
