import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { verifierWalletProviders } from '../../tables/verifier/wallet-providers.ts'
import { listPage } from '../list-page.ts'

export type VerifierWalletProviderRow = typeof verifierWalletProviders.$inferSelect
export type VerifierWalletProviderContent = Pick<VerifierWalletProviderRow, 'name' | 'authorizationEndpoint'>

export async function insertVerifierWalletProvider(tx: Writer, row: VerifierWalletProviderRow): Promise<void> {
  await tx.insert(verifierWalletProviders).values(row)
}

export function findVerifierWalletProvider(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<VerifierWalletProviderRow | undefined> {
  return findRow(db, verifierWalletProviders, tenantId, id)
}

export function listVerifierWalletProviders(
  db: Reader,
  tenantId: string,
  page: PageRequest,
): Promise<VerifierWalletProviderRow[]> {
  return listPage(db, verifierWalletProviders, tenantId, page)
}

/** Returns undefined if the wallet provider does not exist. */
export async function updateVerifierWalletProvider(
  tx: Writer,
  tenantId: string,
  id: string,
  content: VerifierWalletProviderContent,
): Promise<VerifierWalletProviderRow | undefined> {
  const [row] = await tx.update(verifierWalletProviders).set(content).where(byId(tenantId, id)).returning()
  return row
}

/** Returns false if the wallet provider does not exist. */
export async function deleteVerifierWalletProvider(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx
    .delete(verifierWalletProviders)
    .where(byId(tenantId, id))
    .returning({ id: verifierWalletProviders.id })
  return rows.length === 1
}

function byId(tenantId: string, id: string) {
  return and(inRow(verifierWalletProviders.tenantId, tenantId), eq(verifierWalletProviders.id, id))
}
