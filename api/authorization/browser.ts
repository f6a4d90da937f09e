import type { AuthorizationRow } from '../../db/repos/authorizations.ts'
import { hashSecret, newSecret } from '../../shared/ids.ts'
import { equalInConstantTime } from '../../shared/secrets.ts'
import type { Tenant } from '../access/subjects.ts'
import type { Headers } from '../http/route.ts'

/** One browser and one authorization: nobody can carry on in another browser, or be made to carry on another's. */
export interface Browser {
  hash: string
  /** `Set-Cookie`. */
  cookie: string
}

/** As long as the longest time that an interaction may take, and the login before it. */
const maxAgeSeconds = 90_000

export function newBrowser(tenant: Tenant, authorizationId: string): Browser {
  const secret = newSecret()
  const secure = tenant.baseUrl.startsWith('https:') ? '; Secure' : ''
  const cookie = `${cookieName(authorizationId)}=${secret}; Path=/v1/oauth; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
  return { hash: hashSecret(secret), cookie }
}

export function isSameBrowser(headers: Headers, { id, browserHash }: AuthorizationRow): boolean {
  const secret = cookiesOf(headers).get(cookieName(id))
  return secret !== undefined && equalInConstantTime(hashSecret(secret), browserHash)
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
