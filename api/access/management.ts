import { decodeProtectedHeader, errors, jwtVerify } from 'jose'
import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import { findClient } from '../../db/repos/clients.ts'
import { findPublicKey } from '../../db/repos/keys.ts'
import { unixSeconds } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors.ts'
import { parsePublicJwk, publicKeyFromJwk } from '../../shared/formats/jwk.ts'
import { hashSecret } from '../../shared/ids.ts'
import type { Role } from '../../shared/roles.ts'
import type { Deps } from '../deps.ts'
import type { Caller, Tenant } from './subjects.ts'

interface VerifiedToken {
  clientId: string
  expiresAt: number
}

/** Tokens whose signature was checked here, by their hash: the signature of a token does not change. */
const verified = new LRUCache<string, VerifiedToken>({ max: 10_000 })

/**
 * The management client behind a bearer token. The token says who it is; whether the client still exists, and which roles
 * it holds, is asked of the database each time, so that a deleted client's token stops working at once.
 */
export async function authenticateClient(
  deps: Deps,
  tenant: Tenant,
  ctx: Context,
  roles: readonly Role[],
): Promise<Caller> {
  const token = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(ctx.get('Authorization'))?.[1]
  if (!token) throw ctx.headers.authorization === undefined ? new Problem('unauthorized') : wrongToken()
  const { clientId, expiresAt } = await verifyToken(deps, tenant, token)
  if (expiresAt <= unixSeconds(deps.clock.now())) throw new Problem('unauthorized')
  const client = await findClient(deps.db.read, tenant.id, clientId)
  if (!client) throw new Problem('unauthorized')
  ctx.state.clientId = client.id
  if (!client.roles.some((role) => roles.includes(role))) throw new Problem('forbidden')
  return { clientId: client.id, roles: client.roles }
}

async function verifyToken(deps: Deps, tenant: Tenant, token: string): Promise<VerifiedToken> {
  const cacheKey = `${tenant.id} ${hashSecret(token)}`
  const known = verified.get(cacheKey)
  if (known) return known
  const { sub, exp } = await checkSignature(deps, tenant, token)
  if (sub === undefined || exp === undefined) throw new Problem('unauthorized')
  const result = { clientId: sub, expiresAt: exp }
  verified.set(cacheKey, result)
  return result
}

const keyId = /^[\w-]{1,100}$/

async function checkSignature(deps: Deps, tenant: Tenant, token: string) {
  try {
    const { kid } = decodeProtectedHeader(token)
    // Whatever is no id of a key goes no further: the header is not verified yet, and the database takes texts alone.
    const key = keyId.test(String(kid)) ? await findPublicKey(deps.db.read, tenant.id, 'token', String(kid)) : undefined
    if (!key) throw wrongToken()
    const { payload } = await jwtVerify(token, publicKeyFromJwk(parsePublicJwk(key)), {
      algorithms: ['EdDSA'],
      typ: 'at+jwt',
      issuer: tenant.baseUrl,
      audience: tenant.baseUrl,
      currentDate: deps.clock.now(),
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new Problem('unauthorized')
    // jose throws a TypeError on key-type confusion and on tokens that are not JWTs.
    if (error instanceof errors.JOSEError || error instanceof TypeError) throw wrongToken()
    throw error
  }
}

/** One whose time is over is none of these: its signature is right. */
function wrongToken(): Problem {
  return new Problem('unauthorized', { isWrongSecret: true })
}
