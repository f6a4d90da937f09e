import { and, desc, eq, gt, gte, isNotNull, isNull, lte, or, type SQL } from 'drizzle-orm'
import { needsActiveAuthority } from '../../../shared/domain/certificates/certificates.ts'
import type { AuthorityKind, SignerKind } from '../../../shared/formats/x509/profiles.ts'
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
  /** The signer does not end before, unless its authority does. */
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
        // In the last hour of an authority nobody outlives it.
        or(
          gt(certificates.notAfter, until),
          and(gt(certificates.notAfter, at), gte(certificates.notAfter, authorities.notAfter)),
        ),
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
 * Which of these certificates are in use: active and not revoked. Whoever revokes one of them waits until the transaction ends.
 * No query where none are given.
 */
export async function holdInUse(tx: Writer, tenantId: string, ids: string[]): Promise<Set<string>> {
  const inOrder = [...new Set(ids)].sort()
  const rows = await Promise.all(inOrder.map((id) => holdShared(tx, certificates, tenantId, id)))
  return new Set(rows.flatMap((row) => (row?.isActive && row.revokedAt === null ? [row.id] : [])))
}

/** The authorities under which something new may be signed at a moment, the newest first. */
export async function findActiveAuthorities(
  db: Reader,
  tenantId: string,
  kind: AuthorityKind,
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

export interface SignersRef {
  tenantId: string
  caId: string
  kind: SignerKind
}

/**
 * Managed signers of all tenants that sign and end by then, by their authorities: those that are not over, and outlive them. Who
 * signs nothing new any more, because its authority is inactive, is not among them.
 */
export async function findEndingSigners(
  db: Reader,
  { kind, at, until, most }: { kind: SignerKind; at: Date; until: Date; most: number },
): Promise<SignersRef[]> {
  const renewable = and(
    lte(authorities.notBefore, at),
    gt(authorities.notAfter, at),
    gt(authorities.notAfter, certificates.notAfter),
    needsActiveAuthority(kind) ? eq(authorities.isActive, true) : undefined,
  )
  const rows = await db
    .selectDistinct({ tenantId: certificates.tenantId, caId: authorities.id })
    .from(certificates)
    .innerJoin(authorities, and(eq(authorities.tenantId, certificates.tenantId), eq(authorities.id, certificates.caId)))
    .where(and(eq(certificates.kind, kind), ending(until), renewable))
    .limit(most)
  return rows.map((row) => ({ ...row, kind }))
}

/** The signers of one authority that sign and end by then. */
export async function findEndingSignersOf(
  tx: Writer,
  tenantId: string,
  { kind, caId, until }: { kind: SignerKind; caId: string; until: Date },
): Promise<MadeCertificate[]> {
  const rows = await tx
    .select()
    .from(certificates)
    .where(
      and(eq(certificates.tenantId, tenantId), eq(certificates.caId, caId), eq(certificates.kind, kind), ending(until)),
    )
  return rows.filter(isMade)
}

function ending(until: Date): SQL | undefined {
  return and(
    eq(certificates.isManaged, true),
    eq(certificates.isActive, true),
    isNull(certificates.revokedAt),
    isNull(certificates.retiredAt),
    isNotNull(certificates.certificate),
    lte(certificates.notAfter, until),
  )
}
