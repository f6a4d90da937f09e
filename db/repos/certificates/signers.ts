import { and, desc, eq, gt, isNotNull, isNull, lte } from 'drizzle-orm'
import type { SignerKind } from '../../../shared/formats/x509/profiles.ts'
import type { Reader, Writer } from '../../client.ts'
import { alias } from '../../columns.ts'
import { holdShared } from '../../hold.ts'
import { certificates } from '../../tables/certificates/certificates.ts'
import { type CertificateRow, isMade, type MadeCertificate } from './certificates.ts'

const authorities = alias(certificates, 'authorities')

/** Who may sign at a moment, and until when at least. */
export interface SignerWanted {
  kind: SignerKind
  /** Under this authority; under any active one where it is left out. */
  caId?: string | undefined
  at: Date
  /** The signer does not end before. */
  until: Date
}

/** The newest signer of a kind that may sign: active, neither revoked nor replaced, valid like its authority. */
export async function findSigner(
  db: Reader,
  tenantId: string,
  { kind, caId, at, until }: SignerWanted,
): Promise<MadeCertificate | undefined> {
  const [row] = await db
    .select({ signer: certificates })
    .from(certificates)
    .innerJoin(authorities, and(eq(authorities.tenantId, tenantId), eq(authorities.id, certificates.caId)))
    .where(
      and(
        eq(certificates.tenantId, tenantId),
        eq(certificates.kind, kind),
        eq(certificates.isActive, true),
        isNull(certificates.revokedAt),
        isNull(certificates.retiredAt),
        isNotNull(certificates.certificate),
        lte(certificates.notBefore, at),
        gt(certificates.notAfter, until),
        caId === undefined ? eq(authorities.isActive, true) : eq(authorities.id, caId),
        lte(authorities.notBefore, at),
        gt(authorities.notAfter, at),
      ),
    )
    .orderBy(desc(certificates.createdAt), certificates.id)
    .limit(1)
  return isMade(row?.signer) ? row.signer : undefined
}

/**
 * Which of these signers may sign: active and not revoked. Whoever revokes one of them waits until the transaction ends. No
 * query where none are given.
 */
export async function holdActiveSigners(tx: Writer, tenantId: string, ids: string[]): Promise<Set<string>> {
  const active = new Set<string>()
  for (const id of [...new Set(ids)].sort()) {
    const row = await holdShared(tx, certificates, tenantId, id)
    if (row?.isActive && row.revokedAt === null) active.add(id)
  }
  return active
}

/** The IACAs under which credentials may be signed at a moment, the newest first. */
export async function findActiveAuthorities(
  db: Reader,
  tenantId: string,
  kind: 'iaca',
  at: Date,
): Promise<CertificateRow[]> {
  return db
    .select()
    .from(certificates)
    .where(
      and(
        eq(certificates.tenantId, tenantId),
        eq(certificates.kind, kind),
        eq(certificates.isActive, true),
        isNotNull(certificates.certificate),
        lte(certificates.notBefore, at),
        gt(certificates.notAfter, at),
      ),
    )
    .orderBy(desc(certificates.createdAt), certificates.id)
}
