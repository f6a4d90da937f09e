import { type AuthorizationRow, advanceAuthorization } from '../../../db/repos/issuance/sessions/authorizations.ts'
import { statesOfMerge } from '../../../db/repos/issuance/users/user-states.ts'
import { withUserTerms } from '../../../db/repos/issuance/users/user-terms.ts'
import { persistClaims } from '../../../db/repos/issuance/users/users.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { hashSecret, newSecretOf } from '../../../shared/ids.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Answer } from '../../http/representations/answer.ts'
import { endCookies } from './browser.ts'
import { redirectAnswer, redirectTo } from './redirect.ts'
import { spendRequest } from './spend-request.ts'

/** RFC 6749, section 4.1.2, allows ten minutes. Wallets redeem the code immediately. */
const codeLifetimeMs = 60_000

/**
 * Ends the person's part of the authorization and redirects to the wallet with a code. `changes` are the columns set by
 * the last step. `persisted` are the claims to persist for the user.
 */
export async function grantCode(
  deps: Deps,
  tenant: Tenant,
  authorization: AuthorizationRow,
  changes: { userId: string } & Partial<Pick<AuthorizationRow, 'hookClaims'>>,
  persisted: Claims = {},
): Promise<Answer> {
  const at = deps.clock.now()
  const code = newSecretOf(authorization.id)
  const granted = {
    ...changes,
    state: 'granted' as const,
    stepHash: null,
    sealedLogin: null,
    codeHash: hashSecret(code),
    expiresAt: plusMs(at, codeLifetimeMs),
  }
  const states = await statesOfMerge(deps.db.read, tenant.id, changes.userId, persisted)
  await withUserTerms(states, (terms) =>
    deps.db.tx(async (tx) => {
      // A user who was deleted in the meantime gets no code, and none of the claims is stored.
      if (!(await persistClaims(tx, tenant.id, changes.userId, persisted, terms))) throw new Problem('sign_in_expired')
      if (!(await advanceAuthorization(tx, authorization, granted, at))) throw new Problem('sign_in_expired')
      await spendRequest(tx, authorization)
    }),
  )
  const cookies = endCookies(deps, tenant, authorization)
  return redirectAnswer(redirectTo(tenant, authorization, { code }), { cookies })
}
