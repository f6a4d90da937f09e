import type { Context } from 'koa'
import type { Deps } from '../deps.ts'
import type { Access } from '../http/route.ts'
import { authenticateHolder } from './holder.ts'
import { authenticateClient } from './management.ts'
import type { Caller, Holder, Tenant } from './subjects.ts'

/** Who calls, as far as the access of the route asks. */
export interface Subjects {
  caller?: Caller
  holder?: Holder
}

/** Finds out who calls and whether they may. Throws 401 or 403. */
export async function authenticate(
  access: Access,
  ctx: Context,
  deps: Deps,
  tenant: Tenant | undefined,
  rawBody: () => Promise<Buffer>,
): Promise<Subjects> {
  if (access.kind === 'anyone' || !tenant) return {}
  if (access.kind === 'wallet') {
    const request = { headers: ctx.headers, method: ctx.method, url: tenant.baseUrl + ctx.path, rawBody }
    return { holder: await authenticateHolder(deps, tenant, request) }
  }
  return { caller: await authenticateClient(deps, tenant, ctx, access.roles) }
}
