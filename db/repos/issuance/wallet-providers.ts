import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { walletProviders } from '../../tables/issuance/wallet-providers.ts'
import { listPage } from '../list-page.ts'

export type WalletProviderRow = typeof walletProviders.$inferSelect

/** Returns false if the tenant has the certificate already. */
export async function insertWalletProvider(tx: Writer, row: WalletProviderRow): Promise<boolean> {
  const rows = await tx.insert(walletProviders).values(row).onConflictDoNothing().returning({ id: walletProviders.id })
  return rows.length === 1
}

export function findWalletProvider(db: Reader, tenantId: string, id: string): Promise<WalletProviderRow | undefined> {
  return findRow(db, walletProviders, tenantId, id)
}

/** Returns the certificates of all wallet providers of a tenant, in PEM. */
export async function findWalletProviderRoots(db: Reader, tenantId: string): Promise<string[]> {
  const rows = await db
    .select({ certificatePem: walletProviders.certificatePem })
    .from(walletProviders)
    .where(eq(walletProviders.tenantId, tenantId))
  return rows.map(({ certificatePem }) => certificatePem)
}

export function listWalletProviders(db: Reader, tenantId: string, page: PageRequest): Promise<WalletProviderRow[]> {
  return listPage(db, walletProviders, tenantId, page)
}

export async function deleteWalletProvider(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx.delete(walletProviders).where(byId(tenantId, id)).returning({ id: walletProviders.id })
  return rows.length === 1
}

function byId(tenantId: string, id: string) {
  return and(inRow(walletProviders.tenantId, tenantId), eq(walletProviders.id, id))
}
