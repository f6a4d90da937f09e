import { decodeProtectedHeader, errors, jwtVerify } from 'jose'
import type { Context } from 'koa'
import { findPublicKey, tenantItself } from '../../db/repos/identifiers/keys.ts'
import { findClientUnderKey } from '../../db/repos/tenancy/clients.ts'
import { unixSeconds } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors.ts'
import { parsePublicJwk, publicKeyFromJwk } from '../../shared/formats/jwk.ts'
import { hashSecret } from '../../shared/ids.ts'
import type { Role } from '../../shared/roles.ts'
import type { Deps } from '../deps.ts'
import type { VerifiedToken } from './caches.ts'
import { authenticateConsole, bringsConsoleSession } from './console/session.ts'
import type { Caller, Tenant } from './subjects.ts'

/** The management client behind a bearer token, or who is signed in behind the cookie of the console, with one of the roles. */
export async function authenticateOperator(
  deps: Deps,
  tenant: Tenant,
  ctx: Context,
  roles: readonly Role[],
): Promise<Caller> {
  const caller = bringsConsoleSession(tenant, ctx.headers)
    ? await authenticateConsole(deps, tenant, ctx.headers)
    : await authenticateBearer(deps, tenant, ctx.headers.authorization)
  Object.assign(ctx.state, { clientId: caller.clientId, managementUserId: caller.managementUserId })
  if (!caller.roles.some((role) => roles.includes(role))) throw lacksRole(caller, roles)
  return caller
}

/**
 * The token says who it is; whether the client and the key that signed still exist, and which roles the client holds, is asked
 * of the database each time, so that the token ends with them at once.
 */
async function authenticateBearer(deps: Deps, tenant: Tenant, authorization: string | undefined): Promise<Caller> {
  const token = tokenOf(authorization)
  const { clientId, keyId, expiresAt } = await verifyToken(deps, tenant, token)
  if (expiresAt <= unixSeconds(deps.clock.now())) throw expired()
  const client = await findClientUnderKey(deps.db.read, tenant.id, { id: clientId, keyId })
  if (!client) throw new Problem('wrong_management_token', { message: 'The client or the key of the token is gone' })
  return { clientId: client.id, roles: client.roles }
}

/** RFC 6750, section 3.1: a request without authentication, or by another scheme, is told so without an error. */
function tokenOf(authorization: string | undefined): string {
  if (authorization === undefined) throw new Problem('unauthorized')
  const [, token] = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization) ?? []
  if (token !== undefined) return token
  throw /^bearer\b/i.test(authorization) ? wrongToken() : new Problem('unauthorized', { isWrongSecret: true })
}

async function verifyToken(deps: Deps, tenant: Tenant, token: string): Promise<VerifiedToken> {
  const cacheKey = `${tenant.id} ${hashSecret(token)}`
  const cache = deps.caches.managementTokens
  const known = cache.get(cacheKey)
  if (known) return known
  const { sub, exp, keyId } = await checkSignature(deps, tenant, token)
  if (sub === undefined || exp === undefined) throw new Problem('wrong_management_token')
  const result = { clientId: sub, keyId, expiresAt: exp }
  cache.set(cacheKey, result)
  return result
}

const keyIdPattern = /^[\w-]{1,100}$/

async function checkSignature(deps: Deps, tenant: Tenant, token: string) {
  const keyId = keyIdOf(token)
  // The header is not verified yet. A text that is no id of a key does not reach the database.
  const key = keyIdPattern.test(keyId)
    ? await findPublicKey(deps.db.read, tenant.id, tenantItself, 'token', keyId)
    : undefined
  if (!key) throw wrongToken()
  try {
    const { payload } = await jwtVerify(token, publicKeyFromJwk(parsePublicJwk(key)), {
      algorithms: ['EdDSA'],
      typ: 'at+jwt',
      issuer: tenant.baseUrl,
      audience: tenant.baseUrl,
      currentDate: deps.clock.now(),
    })
    return { sub: payload.sub, exp: payload.exp, keyId }
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw expired()
    throw verdictOn(error)
  }
}

function keyIdOf(token: string): string {
  try {
    return String(decodeProtectedHeader(token).kid)
  } catch (error) {
    throw verdictOn(error)
  }
}

/** jose throws a TypeError on key-type confusion and on tokens that are not JWTs. */
function verdictOn(error: unknown): unknown {
  return error instanceof errors.JOSEError || error instanceof TypeError ? wrongToken() : error
}

/** One whose time is over is none of these: its signature is right. */
function wrongToken(): Problem {
  return new Problem('wrong_management_token', { isWrongSecret: true })
}

function expired(): Problem {
  return new Problem('wrong_management_token', { message: 'The access token is expired; get another at /oauth/token' })
}

function lacksRole({ clientId, roles }: Caller, needed: readonly Role[]): Problem {
  const [who, it] = clientId === undefined ? ['The person', 'they have'] : ['The client', 'it has']
  const message = `${who} needs one of the roles ${needed.join(', ')}; ${it} ${roles.join(', ') || 'none'}`
  return new Problem('forbidden', { message })
}
