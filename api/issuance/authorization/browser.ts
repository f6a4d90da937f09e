import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { cookiesOf } from '../../http/cookies.ts'
import type { Headers } from '../../http/route.ts'

/** As long as the longest time that an interaction may take, and the login before it. */
const maxAgeSeconds = 90_000

/** Several authorizations may be under way in one browser. More cookies would make its requests too long in the end. */
const mostCookies = 5
const lastName = 'last-authorization'

/**
 * `Set-Cookie` for the browser that starts an authorization: signed, and of that authorization alone, so that nobody can
 * carry on in another browser, or be made to carry on another's. What the browser began and left longest ago is dropped.
 */
export function beginCookies(deps: Deps, tenant: Tenant, headers: Headers, authorizationId: string): string[] {
  const own = setCookie(tenant, cookieName(authorizationId), signatureOf(deps, tenant, authorizationId), maxAgeSeconds)
  // Ids are in the order of their time, and so are the names.
  const kept = [...cookiesOf(headers).keys()].filter((name) => name.startsWith(cookieName(''))).sort()
  const dropped = kept.slice(0, Math.max(0, kept.length + 1 - mostCookies))
  return [own, ...dropped.map((name) => setCookie(tenant, name, '', 0))]
}

/**
 * `Set-Cookie` for the end of an authorization: takes its cookie back, and remembers under one name which ended last, for
 * those who reload the page or go back to it.
 */
export function endCookies(deps: Deps, tenant: Tenant, authorizationId: string): string[] {
  const last = `${authorizationId}.${signatureOf(deps, tenant, authorizationId)}`
  return [setCookie(tenant, cookieName(authorizationId), '', 0), setCookie(tenant, lastName, last, maxAgeSeconds)]
}

export function isSameBrowser(deps: Deps, tenant: Tenant, headers: Headers, authorizationId: string): boolean {
  const cookies = cookiesOf(headers)
  const own = cookies.get(cookieName(authorizationId)) ?? ''
  const [lastId, last = ''] = cookies.get(lastName)?.split('.') ?? []
  const isSigned = (signature: string) => deps.secrets.isMac(signature, 'browser', signed(tenant, authorizationId))
  return isSigned(own) || (lastId === authorizationId && isSigned(last))
}

function setCookie(tenant: Tenant, name: string, value: string, forSeconds: number): string {
  const secure = tenant.baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/v1/oauth; Max-Age=${forSeconds}; HttpOnly; SameSite=Lax${secure}`
}

function signatureOf({ secrets }: Deps, tenant: Tenant, authorizationId: string): string {
  return secrets.mac('browser', signed(tenant, authorizationId))
}

const signed = ({ id }: Tenant, authorizationId: string) => `${id} ${authorizationId}`

function cookieName(authorizationId: string): string {
  return `authorization-${authorizationId}`
}
