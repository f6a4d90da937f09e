import { and, eq, inArray } from 'drizzle-orm'
import { claimLinkReferenceOf, openClaimLink, sealClaimLink } from '../../../../shared/domain/issuance/claim-links.ts'
import { newTransactionCode } from '../../../../shared/domain/issuance/transaction-code.ts'
import { hashSecret } from '../../../../shared/ids.ts'
import type { SecretTenant } from '../../../../shared/secrets/secrets.ts'
import type { Writer } from '../../../client.ts'
import { holdShared } from '../../../hold.ts'
import { bulkIssuances as bulks } from '../../../tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../../../tables/issuance/claim-links.ts'
import { views } from '../../../tables/issuance/views.ts'
import { holdConfiguration } from '../configurations.ts'
import { endOffer } from '../offers/offers.ts'
import { type ClaimLinkRow, findClaimLinksOfRows } from './claim-links.ts'
import { type ClaimLinkTenant, type LinkMaking, type MadeClaimLink, presentClaimLink } from './new-claim-links.ts'

/** The objects that the links of a bulk issuance need and that do not exist any more. */
export interface MissingOfBulk {
  kind: 'configuration' | 'view'
  id: string
}

/** Locks the configurations and the view of a bulk issuance, which it does not change. Returns one that does not exist. */
export async function holdConfigurationsOfBulk(
  tx: Writer,
  tenantId: string,
  bulkId: string,
): Promise<MissingOfBulk | undefined> {
  const isBulk = and(eq(bulks.tenantId, tenantId), eq(bulks.id, bulkId))
  const [bulk] = await tx.select({ ids: bulks.configurationIds, viewId: bulks.viewId }).from(bulks).where(isBulk)
  for (const id of bulk?.ids.toSorted() ?? []) {
    if (!(await holdConfiguration(tx, tenantId, id))) return { kind: 'configuration', id }
  }
  const viewId = bulk?.viewId ?? null
  const isMissing = viewId !== null && !(await holdShared(tx, views, tenantId, viewId))
  return isMissing ? { kind: 'view', id: viewId } : undefined
}

/**
 * Gives the link of a row a new secret, a new transaction code and a new end. The old address is then invalid, and its offer ends.
 * Returns undefined if the row has no link or the link was collected.
 */
export async function renewClaimLink(
  tx: Writer,
  tenant: ClaimLinkTenant,
  { row, ...which }: { bulkId: string; row: number; expiresAt: Date },
  making: LinkMaking,
): Promise<MadeClaimLink | undefined> {
  const [link] = await renewClaimLinks(tx, tenant, { ...which, rows: [row] }, making)
  return link && presentClaimLink(tenant, link, making)
}

/** Renews the links of rows, as `renewClaimLink` does. Returns those that were renewed. */
export async function renewClaimLinks(
  tx: Writer,
  tenant: SecretTenant,
  { bulkId, rows, expiresAt }: { bulkId: string; rows: number[]; expiresAt: Date },
  { secrets }: LinkMaking,
): Promise<ClaimLinkRow[]> {
  const { id: tenantId } = tenant
  const links = await findClaimLinksOfRows(tx, tenantId, bulkId, rows)
  // The order of hold.ts: offers before links.
  const claimed = new Set<string>()
  for (const offerId of links.flatMap((link) => link.offerId ?? []).sort()) {
    if ((await endOffer(tx, tenantId, offerId)) === 'claimed') claimed.add(offerId)
  }
  const belongsToFirst = links.some(isOfFirst) && !(await namesUsers(tx, tenantId, bulkId))
  const renewed: ClaimLinkRow[] = []
  for (const link of links) {
    if (link.sealedContent === null || (link.offerId !== null && claimed.has(link.offerId))) continue
    const { id, sealedContent, transactionCode } = link
    const generation = link.generation + 1
    const { claims } = openClaimLink(secrets, id, sealedContent)
    const content = { claims, ...(transactionCode && { transactionCode: newTransactionCode() }) }
    const changes = {
      state: 'open' as const,
      generation,
      secretHash: hashSecret(claimLinkReferenceOf(secrets.ofTenant(tenant), { id, generation })),
      sealedContent: sealClaimLink(secrets, link, content),
      ...{ wrongCodes: 0, offerId: null, expiresAt, openedAt: null, endedAt: null },
      // The first person who signed in was perhaps the wrong one.
      ...(belongsToFirst && isOfFirst(link) && { userId: null }),
    }
    if (await changeLink(tx, link, changes)) renewed.push({ ...link, ...changes })
  }
  return renewed
}

/** Returns whether the link belongs to the first person who signs in, unless the file names the users. */
function isOfFirst({ signIn }: ClaimLinkRow): boolean {
  return signIn !== null && signIn.claim === undefined
}

/** Returns false if another transaction has changed the link. */
async function changeLink(
  tx: Writer,
  { tenantId, id, generation }: ClaimLinkRow,
  changes: Partial<ClaimLinkRow>,
): Promise<boolean> {
  const isSame = and(
    eq(claimLinks.tenantId, tenantId),
    eq(claimLinks.id, id),
    eq(claimLinks.generation, generation),
    inArray(claimLinks.state, ['open', 'opened', 'revoked']),
  )
  const rows = await tx.update(claimLinks).set(changes).where(isSame).returning({ id: claimLinks.id })
  return rows.length === 1
}

/** Returns whether the file of a bulk issuance names the users of its rows. */
async function namesUsers(tx: Writer, tenantId: string, bulkId: string): Promise<boolean> {
  const isBulk = and(eq(bulks.tenantId, tenantId), eq(bulks.id, bulkId))
  const [bulk] = await tx.select({ columns: bulks.columns }).from(bulks).where(isBulk)
  return bulk !== undefined && bulk.columns.userId !== null
}
