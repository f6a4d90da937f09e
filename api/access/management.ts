import { decodeProtectedHeader, errors, jwtVerify } from 'jose'
import type { Context } from 'koa'
import type { Reader } from '../../db/client.ts'
import { findPublicKey, tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { findClientUnderKey } from '../../db/repos/tenancy/clients.ts'
import { grantablePermissions } from '../../shared/access/own-roles.ts'
import type { Permission } from '../../shared/access/permissions.ts'
import { isBuiltIn } from '../../shared/access/roles.ts'
import { unixSeconds } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { parsePublicJwk, publicKeyFromJwk } from '../../shared/formats/jwk.ts'
import { hashSecret } from '../../shared/ids.ts'
import type { Deps } from '../deps.ts'
import type { OperatorAccess } from '../http/route.ts'
import { defineCache } from '../process/caches.ts'
import { authenticateConsole, hasConsoleSession, isOpenConsoleSession } from './console/session.ts'
import { findRights, findUnreadable, mayCall } from './rights.ts'
import type { Caller, Tenant } from './subjects.ts'

/** A management token whose signature this process has verified. The signature of a token never changes. */
interface VerifiedToken {
  clientId: string
  keyId: string
  /** The number that the client had when the token was signed. */
  generation: number
  expiresAt: number
}

/** Verified management tokens, by tenant and hash of the token. */
const managementTokensCache = defineCache<string, VerifiedToken>('managementTokens', { max: 10_000 })

/** Authenticates a management client by its bearer token, or a console session by its cookie. Requires one of the roles, or a permission. */
export async function authenticateOperator(
  deps: Deps,
  tenant: Tenant,
  ctx: Context,
  access: OperatorAccess,
): Promise<Caller> {
  const caller: Caller = hasConsoleSession(tenant, ctx.headers)
    ? await authenticateConsole(deps, tenant, ctx.headers)
    : await authenticateBearer(deps, tenant, ctx.headers.authorization)
  Object.assign(ctx.state, { clientId: caller.clientId, managementUserId: caller.managementUserId })
  if (!mayCall(caller, access)) throw lacksRole(caller, access)
  // The answer of a partial PUT has the members that it keeps. A member that the caller cannot read would be replaced by nothing.
  const unreadable = ctx.method === 'PUT' && ctx.query.partial === 'true' ? findUnreadable(caller, access) : undefined
  if (unreadable !== undefined) throw lacksReading(unreadable)
  return caller
}

/**
 * Authenticates a bearer token. Reads the client, its roles and the signing key from the database for each request, so that a token
 * ends at once, in all processes, when the client or the key is deleted, or the sessions of the client are ended.
 */
async function authenticateBearer(deps: Deps, tenant: Tenant, authorization: string | undefined): Promise<Caller> {
  const token = tokenOf(authorization)
  const { clientId, keyId, generation, expiresAt } = await verifyToken(deps, tenant, token)
  if (expiresAt <= unixSeconds(deps.clock.now())) throw expired()
  const client = await findClientUnderKey(deps.db.read, tenant.id, { id: clientId, keyId })
  if (!client)
    throw new Problem('wrong_management_token', { message: 'The client or the key of the token was deleted' })
  if (client.tokenGeneration !== generation) throw ended()
  const rights = await findRights(deps.db.read, tenant.id, client.roles)
  return { clientId: client.id, name: client.name, token: { keyId, generation }, ...rights }
}

/** The parts of a caller that `isSignedIn` checks. */
export type SignInOfCaller = Pick<Caller, 'clientId' | 'consoleSessionId' | 'token'>

/**
 * Returns whether the session, the client and the tokens of a caller still exist some minutes after its request. Reads one row. The roles, the
 * idle time of a session and the end of a token do not matter.
 */
export async function isSignedIn(
  db: Reader,
  tenantId: string,
  { clientId, consoleSessionId, token }: SignInOfCaller,
  at: Date,
): Promise<boolean> {
  if (consoleSessionId !== undefined) return isOpenConsoleSession(db, tenantId, consoleSessionId, at)
  if (clientId === undefined || !token) return false
  const client = await findClientUnderKey(db, tenantId, { id: clientId, keyId: token.keyId })
  return client?.tokenGeneration === token.generation
}

/** RFC 6750, section 3.1: the response to a request without authentication, or with another scheme, contains no error code. */
function tokenOf(authorization: string | undefined): string {
  if (authorization === undefined) throw new Problem('unauthorized')
  const [, token] = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization) ?? []
  if (token !== undefined) return token
  throw /^bearer\b/i.test(authorization) ? wrongToken() : new Problem('unauthorized', { isWrongSecret: true })
}

async function verifyToken(deps: Deps, tenant: Tenant, token: string): Promise<VerifiedToken> {
  const cacheKey = `${tenant.id} ${hashSecret(token)}`
  const cache = deps.caches.of(managementTokensCache)
  const cachedToken = cache.get(cacheKey)
  if (cachedToken) return cachedToken
  const { sub, exp, keyId, generation } = await checkSignature(deps, tenant, token)
  if (sub === undefined || exp === undefined) throw new Problem('wrong_management_token')
  const result = { clientId: sub, keyId, generation, expiresAt: exp }
  cache.set(cacheKey, result)
  return result
}

const keyIdPattern = /^[\w-]{1,100}$/

async function checkSignature(deps: Deps, tenant: Tenant, token: string) {
  const keyId = keyIdOf(token)
  // The header is not verified yet. A value that is not a key id must not reach the database.
  const key = keyIdPattern.test(keyId)
    ? await findPublicKey(deps.db.read, tenant.id, tenantOwner, 'token', keyId)
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
    // Tokens of older versions have no number.
    return { sub: payload.sub, exp: payload.exp, keyId, generation: Number(payload.token_generation ?? 0) }
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

/** Translates errors of jose, which throws a TypeError for a wrong key type and for a token that is not a JWT. */
function verdictOn(error: unknown): unknown {
  return error instanceof errors.JOSEError || error instanceof TypeError ? wrongToken() : error
}

/** An expired token does not count as wrong: its signature is valid. */
function wrongToken(): Problem {
  return new Problem('wrong_management_token', { isWrongSecret: true })
}

function expired(): Problem {
  return new Problem('wrong_management_token', {
    message: 'The access token has expired. Request a new one at /oauth/token.',
  })
}

function ended(): Problem {
  const message =
    'The sessions of the client were ended, or its secret was replaced. Request a new token at /oauth/token.'
  return new Problem('wrong_management_token', { message })
}

/** Names the permission too if the caller has an own role, because an admin can add it to the role. */
function lacksRole({ clientId, roles }: Caller, access: OperatorAccess): Problem {
  const who = clientId === undefined ? 'user' : 'client'
  const grantable = (access.permissions ?? []).filter((each) => grantablePermissions.includes(each))
  const permissions = roles.every(isBuiltIn) ? [] : grantable
  const orPermission = permissions.length > 0 ? `, or the permission ${permissions.join(' or ')}` : ''
  const message = `The ${who} needs one of the roles ${access.roles.join(', ')}${orPermission}. Roles of the ${who}: ${roles.join(', ') || 'none'}.`
  return new Problem('forbidden', { message })
}

function lacksReading(permission: Permission): Problem {
  const message = `A change with partial=true also needs the permission ${permission}, because it keeps members of the object. Send all members without partial=true.`
  return new Problem('forbidden', { message })
}
