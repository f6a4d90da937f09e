import type { Writer } from '../../db/client.ts'
import type { AuthorizationRow } from '../../db/repos/authorizations.ts'
import { insertRefreshToken, type RefreshTokenRow } from '../../db/repos/refresh-tokens.ts'
import { plusMs } from '../../shared/clock.ts'
import { hashSecret, newOrderedId, newSecretOf } from '../../shared/ids.ts'
import type { Deps } from '../deps.ts'

/** How long a wallet that is not seen may come back for a fresh copy of its credential; each use starts it anew. */
const lifetimeMs = 30 * 24 * 3_600_000

/** A refresh token that is not stored yet. */
export interface NewRefreshToken {
  token: string
  row: RefreshTokenRow
}

/** Only for wallets that proved a key: RFC 9449, section 5, binds the refresh tokens of public clients to it. */
export function newRefreshToken(
  deps: Deps,
  { grant, userId, dpopJkt }: { grant: Pick<AuthorizationRow, 'id' | 'tenantId'>; userId: string; dpopJkt: string },
): NewRefreshToken {
  const at = deps.clock.now()
  const id = newOrderedId(at)
  const token = newSecretOf(id)
  const row = {
    id,
    tenantId: grant.tenantId,
    grantId: grant.id,
    userId,
    tokenHash: hashSecret(token),
    dpopJkt,
    spentAt: null,
    expiresAt: plusMs(at, lifetimeMs),
    createdAt: at,
  }
  return { token, row }
}

export async function storeRefreshToken(tx: Writer, { row }: NewRefreshToken): Promise<void> {
  await insertRefreshToken(tx, row)
}
