import type { Writer } from '../../../db/client.ts'
import { type AuthorizationRow, spendPushedRequest } from '../../../db/repos/issuance/sessions/authorizations.ts'
import { Problem } from '../../../shared/errors/errors.ts'

/**
 * Spends a pushed request in the transaction that ends its authorization: a wallet gets one response (RFC 9126, section
 * 4). Throws `sign_in_handed_back` if another authorization of the same request, started in another tab, has already
 * ended.
 */
export async function spendRequest(
  tx: Writer,
  { id, tenantId, pushedRequestId }: Pick<AuthorizationRow, 'id' | 'tenantId' | 'pushedRequestId'>,
): Promise<void> {
  if (pushedRequestId === null || (await spendPushedRequest(tx, tenantId, pushedRequestId, id))) return
  throw new Problem('sign_in_handed_back')
}
