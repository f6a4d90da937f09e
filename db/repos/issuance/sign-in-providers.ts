import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { authenticationProviders } from '../../tables/issuance/sign-in-providers.ts'
import { users } from '../../tables/issuance/users.ts'
import { listPage } from '../list-page.ts'

export type AuthenticationProviderRow = typeof authenticationProviders.$inferSelect
type Content = Omit<AuthenticationProviderRow, 'tenantId' | 'id' | 'createdAt'>

export function findAuthenticationProvider(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<AuthenticationProviderRow | undefined> {
  return findRow(db, authenticationProviders, tenantId, id)
}

export function listAuthenticationProviders(
  db: Reader,
  tenantId: string,
  page: PageRequest,
): Promise<AuthenticationProviderRow[]> {
  return listPage(db, authenticationProviders, tenantId, page)
}

/** Returns undefined if the tenant has a provider already. */
export async function insertAuthenticationProvider(
  tx: Writer,
  tenantId: string,
  provider: Content & { id: string },
  at: Date,
): Promise<AuthenticationProviderRow | undefined> {
  const [row] = await tx
    .insert(authenticationProviders)
    .values({ ...provider, tenantId, createdAt: at })
    .onConflictDoNothing()
    .returning()
  return row
}

export async function updateAuthenticationProvider(
  tx: Writer,
  tenantId: string,
  id: string,
  content: Content,
): Promise<AuthenticationProviderRow | undefined> {
  const [row] = await tx.update(authenticationProviders).set(content).where(byId(tenantId, id)).returning()
  return row
}

export async function deleteAuthenticationProvider(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx
    .delete(authenticationProviders)
    .where(byId(tenantId, id))
    .returning({ id: authenticationProviders.id })
  return rows.length === 1
}

/** Returns true if users sign in at the provider. */
export async function hasUsers(db: Reader, tenantId: string, providerId: string): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.providerId, providerId)))
    .limit(1)
  return rows.length === 1
}

function byId(tenantId: string, id: string) {
  return and(inRow(authenticationProviders.tenantId, tenantId), eq(authenticationProviders.id, id))
}
