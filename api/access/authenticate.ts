import type { Context } from 'koa'
import { findSession } from '../../db/repos/issuance/sessions/sessions.ts'
import { findSessionWithClaims } from '../../db/repos/issuance/users/known-claims.ts'
import { Problem } from '../../shared/errors/errors.ts'
import type { Deps } from '../deps.ts'
import type { Subjects } from '../http/report.ts'
import type { RequestExchange, RequestHooks } from '../http/request-hooks.ts'
import type { Access } from '../http/route.ts'
import { nextNonce } from '../proofs/dpop.ts'
import type { FindExternalToken } from './external-token.ts'
import { authenticateHolder } from './holder.ts'
import { authenticateOperator } from './management.ts'

/** Returns the authentication of callers. `findExternal` finds access tokens of authorization servers of tenants. */
export function authenticateWith(findExternal: FindExternalToken): RequestHooks['authenticate'] {
  return (access, ctx, deps, exchange) => authenticate({ access, ctx, deps, findExternal }, exchange)
}

interface Authenticating {
  access: Access
  ctx: Context
  deps: Deps
  findExternal: FindExternalToken
}

/** Authenticates the caller and checks their role. Throws problems with status 401 or 403. */
async function authenticate(
  { access, ctx, deps, findExternal }: Authenticating,
  { tenant, rawBody, attribute: about }: RequestExchange,
): Promise<Subjects> {
  if (access.kind === 'anyone') return {}
  if (!tenant) throw new Problem('unauthorized')
  if (access.kind === 'wallet') {
    const request = { headers: ctx.headers, method: ctx.method, url: tenant.issuer + ctx.path, rawBody, about }
    ctx.set(nextNonce(deps, tenant, 'resource'))
    const find = access.withClaims ? findSessionWithClaims : findSession
    return { holder: await authenticateHolder(deps, tenant, request, { find, findExternal }) }
  }
  return { caller: await authenticateOperator(deps, tenant, ctx, access) }
}
