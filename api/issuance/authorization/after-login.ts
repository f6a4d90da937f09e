import { findInteractionHook } from '../../../db/repos/issuance/interaction-hooks.ts'
import type { AuthorizationRow } from '../../../db/repos/issuance/sessions/authorizations.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Answer } from '../../http/representations/answer.ts'
import { grantCode } from './grant-code.ts'
import { beginInteraction } from './interaction/begin-interaction.ts'
import { redirectAnswer } from './redirect.ts'

/**
 * Returns the next redirect after a sign-in: to the interaction hook if the tenant has one, otherwise to the wallet.
 */
export async function afterLogin(
  deps: Deps,
  tenant: Tenant,
  authorization: AuthorizationRow,
  userId: string,
): Promise<Answer> {
  const hook = await findInteractionHook(deps.db.read, tenant.id)
  if (hook && !hook.disabled) return redirectAnswer(await beginInteraction(deps, tenant, authorization, hook, userId))
  return grantCode(deps, tenant, authorization, { userId })
}
