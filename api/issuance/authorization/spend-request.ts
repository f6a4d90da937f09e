import type { Writer } from '../../../db/client.ts'
import { type AuthorizationRow, spendPushedRequest } from '../../../db/repos/issuance/authorizations.ts'
import { Problem } from '../../../shared/errors.ts'

/**
 * The end of a pushed request, in the transaction that ends its authorization: a wallet is answered once (RFC 9126, section 4).
 * Throws `sign_in_handed_back` where another authorization, which was begun with it in another tab, has ended before.
 */
export async function spendRequest(
  tx: Writer,
  { id, tenantId, pushedRequestId }: Pick<AuthorizationRow, 'id' | 'tenantId' | 'pushedRequestId'>,
): Promise<void> {
  if (pushedRequestId === null || (await spendPushedRequest(tx, tenantId, pushedRequestId, id))) return
  throw new Problem('sign_in_handed_back')
}
