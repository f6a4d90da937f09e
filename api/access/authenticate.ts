import type { Context } from 'koa'
import type { Deps } from '../deps.ts'
import type { Access } from '../http/route.ts'
import { nextNonce } from '../oauth/proofs/dpop.ts'
import { authenticateHolder } from './holder.ts'
import { authenticateClient } from './management.ts'
import type { Caller, Holder, Tenant } from './subjects.ts'

/** Who calls, as far as the access of the route asks. */
export interface Subjects {
  caller?: Caller
  holder?: Holder
}

/** What authentication needs of a request besides its headers. */
export interface Exchange {
  tenant: Tenant | undefined
  rawBody(): Promise<Buffer>
  /** Says which offer the request is about, also when it is then refused. */
  about(offerId: string | null | undefined): void
}

/** Finds out who calls and whether they may. Throws 401 or 403. */
export async function authenticate(
  access: Access,
  ctx: Context,
  deps: Deps,
  { tenant, rawBody, about }: Exchange,
): Promise<Subjects> {
  if (access.kind === 'anyone' || !tenant) return {}
  if (access.kind === 'wallet') {
    const request = { headers: ctx.headers, method: ctx.method, url: tenant.baseUrl + ctx.path, rawBody, about }
    ctx.set(nextNonce(deps, tenant, 'resource'))
    return { holder: await authenticateHolder(deps, tenant, request) }
  }
  return { caller: await authenticateClient(deps, tenant, ctx, access.roles) }
}
