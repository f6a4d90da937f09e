import { and, asc, eq, inArray } from 'drizzle-orm'
import { fingerprintOf } from '../../../shared/formats/certificate.ts'
import { newId } from '../../../shared/ids.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { ecosystemIntegrations, type LastGoodList } from '../../tables/ecosystems/integrations.ts'
import { deleteIntegratedCertificates } from './integrated-certificates.ts'

export type IntegrationRow = typeof ecosystemIntegrations.$inferSelect
/** The members that the operator configures. */
export type Integration = Pick<IntegrationRow, 'format' | 'loteType' | 'types' | 'url' | 'enabled' | 'trustAnchors'>

/** Returns the integrations of these ecosystems, those of each in its order. */
export async function findIntegrations(
  db: Reader,
  tenantId: string,
  ecosystemIds: string[],
): Promise<IntegrationRow[]> {
  return db
    .select()
    .from(ecosystemIntegrations)
    .where(and(eq(ecosystemIntegrations.tenantId, tenantId), inArray(ecosystemIntegrations.ecosystemId, ecosystemIds)))
    .orderBy(asc(ecosystemIntegrations.position))
}

/**
 * Replaces the integrations of a held ecosystem. A known one, by format and URL, keeps its results. It is fetched at
 * once if its anchors, its types or `enabled` changed. Its certificates are deleted if their root is no longer an
 * anchor, or if they are of another type of list.
 */
export async function replaceIntegrations(
  tx: Writer,
  tenantId: string,
  ecosystemId: string,
  integrations: Integration[],
  at: Date,
): Promise<void> {
  const storedRows = new Map((await findIntegrations(tx, tenantId, [ecosystemId])).map((row) => [keyOf(row), row]))
  for (const [position, integration] of integrations.entries()) {
    const row = storedRows.get(keyOf(integration))
    storedRows.delete(keyOf(integration))
    if (row) await changeIntegration(tx, row, { ...integration, position })
    else await tx.insert(ecosystemIntegrations).values(newRow({ tenantId, ecosystemId, position, ...integration }, at))
  }
  for (const { id } of storedRows.values()) {
    await tx.delete(ecosystemIntegrations).where(byId(tenantId, id))
    await deleteIntegratedCertificates(tx, tenantId, id)
  }
}

function newRow(
  of: Integration & Pick<IntegrationRow, 'tenantId' | 'ecosystemId' | 'position'>,
  at: Date,
): IntegrationRow {
  const nothingYet = { result: null, lastGood: null, nextSyncAt: null, queuedUntil: null, attemptedAt: null }
  return { id: newId(), ...of, ...nothingYet, succeededAt: null, failures: 0, createdAt: at }
}

async function changeIntegration(
  tx: Writer,
  row: IntegrationRow,
  to: Integration & { position: number },
): Promise<void> {
  const { tenantId, id, lastGood } = row
  const [had, has] = [fingerprintsOf(row), fingerprintsOf(to)]
  const trustsOthers = had.symmetricDifference(has).size > 0
  const losesRoot = lastGood !== null && trustsOthers && has.size > 0 && !has.has(fingerprintOf(lastGood.root))
  const losesTrust = losesRoot || to.loteType !== row.loteType
  const isReadAgain = trustsOthers || JSON.stringify(to.types) !== JSON.stringify(row.types)
  // A job in progress has fetched with the old settings. It loses its hold and writes nothing.
  const dueAtOnce = { queuedUntil: null, nextSyncAt: null, failures: 0 }
  const wantsFetch = losesTrust || isReadAgain || to.enabled !== row.enabled
  await tx
    .update(ecosystemIntegrations)
    .set({
      ...to,
      ...(wantsFetch && dueAtOnce),
      // Without the ETag the next fetch verifies the whole list.
      ...(isReadAgain && lastGood && { lastGood: withoutEtag(lastGood) }),
      ...(losesTrust && { result: null, lastGood: null, succeededAt: null }),
    })
    .where(byId(tenantId, id))
  if (losesTrust) await deleteIntegratedCertificates(tx, tenantId, id)
}

function withoutEtag({ etag: _etag, ...list }: LastGoodList): LastGoodList {
  return list
}

function fingerprintsOf({ trustAnchors }: Integration): Set<string | undefined> {
  return new Set(trustAnchors.map(fingerprintOf))
}

function keyOf({ format, url }: Integration): string {
  return `${format} ${url}`
}

function byId(tenantId: string, id: string) {
  return and(inRow(ecosystemIntegrations.tenantId, tenantId), eq(ecosystemIntegrations.id, id))
}
