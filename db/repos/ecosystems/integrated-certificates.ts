import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, gt, inArray, ne } from 'drizzle-orm'
import { newId } from '../../../shared/ids.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { preparedInsert } from '../../engine/prepared.ts'
import { integratedCertificates as certificates, type ListChangeCounts } from '../../tables/ecosystems/integrations.ts'
import { chunksOf } from '../chunks.ts'

export type IntegratedCertificate = Omit<
  typeof certificates.$inferSelect,
  'id' | 'tenantId' | 'ecosystemId' | 'integrationId' | 'createdAt'
>
export interface OfIntegration {
  ecosystemId: string
  integrationId: string
}

const insertRows = preparedInsert('insert_integrated_certificates', certificates)

/** Replaces the certificates of an integration, which have distinct fingerprints. Returns the number of differences. */
export async function replaceIntegratedCertificates(
  tx: Writer,
  tenantId: string,
  { ecosystemId, integrationId }: OfIntegration,
  listed: IntegratedCertificate[],
  at: Date,
): Promise<ListChangeCounts> {
  const { id, fingerprint, ski, name, docTypes } = certificates
  const storedRows = await tx
    .select({ id, fingerprint, ski, name, docTypes })
    .from(certificates)
    .where(and(eq(certificates.tenantId, tenantId), eq(certificates.integrationId, integrationId)))
  const after = new Map(listed.map((each) => [each.fingerprint, each]))
  const before = new Map(storedRows.map((each) => [each.fingerprint, each]))
  const differs = (one: ListedData, other: ListedData | undefined) =>
    other === undefined || textOf(one) !== textOf(other)
  const removed = storedRows.filter((each) => differs(each, after.get(each.fingerprint)))
  const added = listed.filter((each) => differs(each, before.get(each.fingerprint)))
  await deleteByIds(
    tx,
    tenantId,
    removed.map((each) => each.id),
  )
  const rows = added.map((each) => ({ ...each, id: newId(), tenantId, ecosystemId, integrationId, createdAt: at }))
  for (const chunk of chunksOf(rows)) {
    await insertRows(tx, chunk)
    // Lets other work of the process run between the chunks. On SQLite the inserts do not yield.
    await setImmediate()
  }
  const changed = added.filter((each) => before.has(each.fingerprint)).length
  return { added: added.length - changed, removed: removed.length - changed, changed }
}

type ListedData = Pick<IntegratedCertificate, 'ski' | 'name' | 'docTypes'>

function textOf({ ski, name, docTypes }: ListedData): string {
  return JSON.stringify([ski, name, docTypes.toSorted()])
}

async function deleteByIds(tx: Writer, tenantId: string, ids: string[]): Promise<void> {
  for (const chunk of chunksOf(ids))
    await tx.delete(certificates).where(and(eq(certificates.tenantId, tenantId), inArray(certificates.id, chunk)))
}

/** Deletes all certificates of an integration. */
export async function deleteIntegratedCertificates(tx: Writer, tenantId: string, integrationId: string): Promise<void> {
  await tx
    .delete(certificates)
    .where(and(eq(certificates.tenantId, tenantId), eq(certificates.integrationId, integrationId)))
}

/** Counts the certificates of the other integrations of an ecosystem. */
export async function countOfOtherIntegrations(
  db: Reader,
  tenantId: string,
  { ecosystemId, integrationId }: OfIntegration,
): Promise<number> {
  return db.$count(
    certificates,
    and(
      eq(certificates.tenantId, tenantId),
      eq(certificates.ecosystemId, ecosystemId),
      ne(certificates.integrationId, integrationId),
    ),
  )
}

export type IntegratedCertificateRow = typeof certificates.$inferSelect

/** The last row of a page of `listIntegratedCertificates`. */
export type IntegratedCertificateCursor = Pick<IntegratedCertificateRow, 'integrationId' | 'fingerprint'>

/**
 * Returns certificates of these integrations, by integration id and fingerprint, and one row more than `limit` if there
 * are more. Each integration is an index range. A fingerprint keeps its position if the list is replaced between two
 * pages.
 */
export async function listIntegratedCertificates(
  db: Reader,
  tenantId: string,
  integrationIds: string[],
  limit: number,
  cursor?: IntegratedCertificateCursor,
): Promise<IntegratedCertificateRow[]> {
  const rows: IntegratedCertificateRow[] = []
  for (const integrationId of integrationIds.toSorted()) {
    if (rows.length > limit) break
    if (cursor && integrationId < cursor.integrationId) continue
    const afterCursor =
      integrationId === cursor?.integrationId ? gt(certificates.fingerprint, cursor.fingerprint) : undefined
    const ofIntegration = and(
      inRow(certificates.tenantId, tenantId),
      eq(certificates.integrationId, integrationId),
      afterCursor,
    )
    const ofOne = await db
      .select()
      .from(certificates)
      .where(ofIntegration)
      .orderBy(asc(certificates.fingerprint))
      .limit(limit + 1 - rows.length)
    rows.push(...ofOne)
  }
  return rows
}
