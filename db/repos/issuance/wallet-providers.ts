import { and, eq, sql } from 'drizzle-orm'
import { loteFormat } from '../../../shared/domain/ecosystems/integrations.ts'
import { pemOfDer } from '../../../shared/formats/certificate.ts'
import type { LoteType } from '../../../shared/formats/trusted-lists/lote/lote-types.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import {
  integratedCertificates as certificates,
  ecosystemIntegrations as integrations,
} from '../../tables/ecosystems/integrations.ts'
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

/** The number of certificates of external lists that are read. The list of the EU has less than 100. */
const maxListed = 1_000

/**
 * Returns the certificates of the wallet providers of a tenant, in PEM: those that the operator added, and those of
 * enabled lists of wallet providers.
 */
export async function findWalletProviderRoots(db: Reader, tenantId: string): Promise<string[]> {
  const [own, listed] = await Promise.all([
    db
      .select({ certificatePem: walletProviders.certificatePem })
      .from(walletProviders)
      .where(eq(walletProviders.tenantId, tenantId)),
    findListedProviders(db, tenantId),
  ])
  return [...own.map(({ certificatePem }) => certificatePem), ...listed]
}

const listType: LoteType = 'wallet-providers'

async function findListedProviders(db: Reader, tenantId: string): Promise<string[]> {
  const rows = await db
    .select({ certificate: certificates.certificate, services: certificates.services })
    .from(integrations)
    .innerJoin(
      certificates,
      and(
        eq(certificates.tenantId, integrations.tenantId),
        eq(certificates.ecosystemId, integrations.ecosystemId),
        eq(certificates.integrationId, integrations.id),
      ),
    )
    .where(
      and(
        eq(integrations.tenantId, tenantId),
        eq(integrations.loteType, listType),
        eq(integrations.format, loteFormat),
        sql`${integrations.enabled}`,
      ),
    )
    .limit(maxListed)
  return rows.filter(({ services }) => services?.includes('issuance')).map(({ certificate }) => pemOfDer(certificate))
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
