import type { AuthorizationRow } from '../../../db/repos/issuance/sessions/authorizations.ts'
import type { Tenant } from '../../access/subjects.ts'
import { viewIdOf } from '../../access/views.ts'
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
  const path = pathOf({ viewId: viewIdOf(tenant) })
  const signature = signatureOf(deps, tenant, authorizationId)
  const own = setCookie(tenant, path, {
    name: cookieName(authorizationId),
    value: signature,
    forSeconds: maxAgeSeconds,
  })
  // Ids are ordered by time, and so are the cookie names.
  const existing = [...cookiesOf(headers).keys()].filter((name) => name.startsWith(cookieName(''))).sort()
  const dropped = existing.slice(0, Math.max(0, existing.length + 1 - maxCookies))
  return [own, ...dropped.map((name) => setCookie(tenant, path, { name, value: '', forSeconds: 0 }))]
}

/**
 * Returns `Set-Cookie` headers for the end of an authorization. They remove its cookie and store the last ended
 * authorization under one name, for a person who reloads the page or goes back to it.
 */
export function endCookies(
  deps: Deps,
  tenant: Tenant,
  authorization: Pick<AuthorizationRow, 'id' | 'viewId'>,
): string[] {
  const { id } = authorization
  const path = pathOf(authorization)
  const last = `${id}.${signatureOf(deps, tenant, id)}`
  return [
    setCookie(tenant, path, { name: cookieName(id), value: '', forSeconds: 0 }),
    setCookie(tenant, path, { name: lastName, value: last, forSeconds: maxAgeSeconds }),
  ]
}

export function isSameBrowser(deps: Deps, tenant: Tenant, headers: Headers, authorizationId: string): boolean {
  const cookies = cookiesOf(headers)
  const own = cookies.get(cookieName(authorizationId)) ?? ''
  const [lastId, last = ''] = cookies.get(lastName)?.split('.') ?? []
  const isSigned = (signature: string) =>
    deps.secrets.ofTenant(tenant).isMac(signature, 'browser', signed(tenant, authorizationId))
  return isSigned(own) || (lastId === authorizationId && isSigned(last))
}

interface Cookie {
  name: string
  value: string
  forSeconds: number
}

function setCookie(tenant: Tenant, path: string, { name, value, forSeconds }: Cookie): string {
  const secure = tenant.baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${forSeconds}; HttpOnly; SameSite=Lax${secure}`
}

/** The sign-in of a view begins below the address of the view, and returns to the address of the tenant. */
function pathOf({ viewId }: Pick<AuthorizationRow, 'viewId'>): string {
  return viewId === null ? '/v1/oauth' : '/'
}

function signatureOf({ secrets }: Deps, tenant: Tenant, authorizationId: string): string {
  return secrets.ofTenant(tenant).mac('browser', signed(tenant, authorizationId))
}

const signed = ({ id }: Tenant, authorizationId: string) => `${id} ${authorizationId}`

function cookieName(authorizationId: string): string {
  return `authorization-${authorizationId}`
}
