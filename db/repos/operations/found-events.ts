import { and, asc, eq, gt, isNotNull, isNull, lt, lte } from 'drizzle-orm'
import type { CertificateKind } from '../../../shared/formats/x509/profiles.ts'
import type { Reader, Writer } from '../../client.ts'
import { certificates } from '../../tables/certificates/certificates.ts'
import { offers } from '../../tables/issuance/offers.ts'
import { webhooks } from '../../tables/operations/webhooks.ts'

export interface FindingWebhook {
  id: string
  disabled: boolean
  foundUntil: Date
}

/** Returns tenants whose events were found until `before` at most, those that wait longest first. */
export async function findTenantsToSearch(db: Reader, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ tenantId: webhooks.tenantId })
    .from(webhooks)
    .where(and(isNotNull(webhooks.foundUntil), lte(webhooks.foundUntil, before)))
    .orderBy(asc(webhooks.foundUntil))
    .limit(limit)
  return [...new Set(rows.map(({ tenantId }) => tenantId))]
}

/** Returns the webhooks of the tenant that receive events which a job finds. */
export async function findFindingWebhooks(db: Reader, tenantId: string): Promise<FindingWebhook[]> {
  const { id, disabled, foundUntil } = webhooks
  const rows = await db
    .select({ id, disabled, foundUntil })
    .from(webhooks)
    .where(and(eq(webhooks.tenantId, tenantId), isNotNull(foundUntil)))
    .orderBy(asc(id))
  return rows.flatMap(({ foundUntil: until, ...row }) => (until ? [{ ...row, foundUntil: until }] : []))
}

/** Stores until when the events of webhooks were found. Pass the ids in order, which is that of locks. */
export async function advanceFound(tx: Writer, tenantId: string, ids: string[], until: Date): Promise<void> {
  for (const id of ids) {
    await tx
      .update(webhooks)
      .set({ foundUntil: until })
      .where(and(eq(webhooks.tenantId, tenantId), eq(webhooks.id, id), lt(webhooks.foundUntil, until)))
  }
}

/** Returns the offers that expired after `after` and until `until`, and that no wallet took, the first expired first. */
export async function findExpiredOffers(
  db: Reader,
  tenantId: string,
  after: Date,
  until: Date,
  limit: number,
): Promise<{ id: string; expiresAt: Date }[]> {
  const { id, expiresAt, state, claimLinkId } = offers
  const isOver = and(gt(expiresAt, after), lte(expiresAt, until))
  return db
    .select({ id, expiresAt })
    .from(offers)
    .where(and(isOver, eq(offers.tenantId, tenantId), eq(state, 'usable'), isNull(claimLinkId)))
    .orderBy(asc(expiresAt))
    .limit(limit)
}

/** Returns the certificates in use that end after `after` and until `until`. A tenant has few. */
export async function findEndingCertificates(
  db: Reader,
  tenantId: string,
  after: Date,
  until: Date,
): Promise<{ id: string; kind: CertificateKind; notAfter: Date }[]> {
  const { id, kind, notAfter, isActive, revokedAt, retiredAt, certificate } = certificates
  const isInUse = and(eq(isActive, true), isNull(revokedAt), isNull(retiredAt), isNotNull(certificate))
  const rows = await db
    .select({ id, kind, notAfter })
    .from(certificates)
    .where(and(eq(certificates.tenantId, tenantId), gt(notAfter, after), lte(notAfter, until), isInUse))
  return rows.flatMap(({ notAfter: end, ...row }) => (end ? [{ ...row, notAfter: end }] : []))
}
