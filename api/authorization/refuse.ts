import { type AuthorizationRow, moveAuthorization } from '../../db/repos/authorizations.ts'
import type { Tenant } from '../access/subjects.ts'
import type { Deps } from '../deps.ts'
import { type AuthorizationError, redirectTo } from './redirect.ts'

/** Ends an authorization, and says where the wallet is told so. */
export async function refuseAuthorization(
  deps: Deps,
  tenant: Tenant,
  authorization: AuthorizationRow,
  error: AuthorizationError,
  description: string,
): Promise<URL> {
  const ended = { state: 'ended' as const, stepHash: null, sealedLogin: null, hookClaims: null }
  await deps.db.tx((tx) => moveAuthorization(tx, authorization, ended, deps.clock.now()))
  return redirectTo(tenant, authorization, { error, error_description: description })
}
