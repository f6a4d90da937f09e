import type { Writer } from '../../../db/client.ts'
import { insertRefreshToken, type RefreshTokenRow } from '../../../db/repos/issuance/sessions/refresh-tokens.ts'
import type { SessionRow } from '../../../db/repos/issuance/sessions/sessions.ts'
import { plusMs } from '../../../shared/clock.ts'
import { derivedOrderedId, hashSecret } from '../../../shared/ids.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/** The time in which an inactive wallet can renew its credential. Each use restarts it. */
const lifetimeMs = 30 * 24 * 3_600_000

/** Returns the expiry of a refresh token that was used at this time. */
export function refreshTokenExpiry(usedAt: Date): Date {
  return plusMs(usedAt, lifetimeMs)
}

/** A refresh token that is not stored yet. */
export interface NewRefreshToken {
  token: string
  row: RefreshTokenRow
}

/**
 * Creates the refresh token of a new session. Returns undefined if it gets none. Only wallets that proved a key get
 * one: RFC 9449, section 5, binds the refresh tokens of public clients to it.
 */
export function newRefreshToken(
  deps: Deps,
  tenant: Tenant,
  session: SessionRow,
  exchanged: string,
): NewRefreshToken | undefined {
  const { tenantId, userId, authorizationId, dpopJkt, createdAt } = session
  if (authorizationId === null || dpopJkt === null) return undefined
  const { id, tokens } = refreshTokensOf(deps, tenant, session, exchanged)
  const [token] = tokens
  const row = {
    id,
    tenantId,
    authorizationId,
    userId,
    tokenHash: hashSecret(token),
    dpopJkt,
    spentAt: null,
    expiresAt: refreshTokenExpiry(createdAt),
    createdAt,
  }
  return { token, row }
}

/**
 * Returns the refresh tokens of a session and the id of their row. They are derived from the exchanged code, like the
 * access token in `accessTokensOf`.
 */
export function refreshTokensOf(
  { secrets }: Deps,
  tenant: Tenant,
  { id: sessionId, createdAt }: SessionRow,
  exchanged: string,
): { id: string; tokens: [string, ...string[]] } {
  const id = derivedOrderedId(createdAt, 'refresh token', sessionId)
  const [mac, ...earlier] = secrets.ofTenant(tenant).macs('refresh token', `${tenant.id} ${id} ${exchanged}`)
  return { id, tokens: [`${id}.${mac}`, ...earlier.map((each) => `${id}.${each}`)] }
}

export async function storeRefreshToken(tx: Writer, { row }: NewRefreshToken): Promise<void> {
  await insertRefreshToken(tx, row)
}
