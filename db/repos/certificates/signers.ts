import { and, desc, eq, gt, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { needsActiveAuthority } from '../../../shared/domain/certificates/certificates.ts'
import type { AuthorityKind, SignerKind } from '../../../shared/formats/x509/profiles.ts'
import type { Reader, Writer } from '../../client.ts'
import { alias } from '../../columns.ts'
import { param, paramOf, prepared } from '../../engine/prepared.ts'
import { holdShared } from '../../hold.ts'
import { certificates } from '../../tables/certificates/certificates.ts'
import { type CertificateRow, type CompleteCertificate, isComplete } from './certificates.ts'

const authorities = alias(certificates, 'authorities')

/** The number of signers of a tenant whose keys are published. A tenant has a few. */
const maxPublished = 1_000

/** Returns the signers of a kind whose signatures are valid, also replaced and inactive ones, the newest first. */
export async function findPublishedSigners(
  db: Reader,
  tenantId: string,
  { kind, at }: { kind: SignerKind; at: Date },
): Promise<CompleteCertificate[]> {
  const rows = await db
    .select()
    .from(certificates)
    .where(
      and(
        eq(certificates.tenantId, tenantId),
        eq(certificates.kind, kind),
        isNull(certificates.revokedAt),
        isNotNull(certificates.certificate),
        lte(certificates.notBefore, at),
        gt(certificates.notAfter, at),
      ),
    )
    .orderBy(desc(certificates.createdAt), certificates.id)
    .limit(maxPublished)
  return rows.filter(isComplete)
}

/**
 * Returns which of these certificates are active and not revoked. A revocation of one of them waits until the
 * transaction ends. Makes no query for an empty list.
 */
export async function holdInUse(tx: Writer, tenantId: string, ids: string[]): Promise<Set<string>> {
  const inOrder = [...new Set(ids)].sort()
  const rows = await Promise.all(inOrder.map((id) => holdShared(tx, certificates, tenantId, id)))
  return new Set(rows.flatMap((row) => (row?.isActive && row.revokedAt === null ? [row.id] : [])))
}

/** Returns the active and valid authorities of a kind, the newest first. */
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

const endingSigners = endingSignersQuery('ending_signers', undefined)
const endingSignersOfActive = endingSignersQuery('ending_signers_of_active', eq(authorities.isActive, true))

function endingSignersQuery(name: string, isUsable: SQL | undefined) {
  const at = paramOf(authorities.notBefore, 'at')
  const renewable = and(
    lte(authorities.notBefore, at),
    gt(authorities.notAfter, at),
    gt(authorities.notAfter, certificates.notAfter),
    isUsable,
  )
  const isEnding = ending(paramOf(certificates.notAfter, 'until'))
  return prepared(name, (db) =>
    db
      .selectDistinct({ tenantId: certificates.tenantId, caId: authorities.id })
      .from(certificates)
      .innerJoin(
        authorities,
        and(eq(authorities.tenantId, certificates.tenantId), eq(authorities.id, certificates.caId)),
      )
      .where(and(eq(certificates.kind, param('kind')), isEnding, renewable))
      .limit(sql.placeholder('limit')),
  )
}

/**
 * Returns the authorities of all tenants with managed signers that expire by `until`. The authorities are valid and
 * expire later than these signers. Signers that sign nothing new because their authority is inactive are not included.
 */
export async function findEndingSigners(
  db: Reader,
  { kind, at, until, limit }: { kind: SignerKind; at: Date; until: Date; limit: number },
): Promise<SignersRef[]> {
  const rows = await (needsActiveAuthority(kind) ? endingSignersOfActive : endingSigners)(db, {
    kind,
    at,
    until,
    limit,
  })
  return rows.map((row) => ({ ...row, kind }))
}

/** Returns the signers of one authority that are in use and expire by `until`. */
export async function findEndingSignersOf(
  tx: Writer,
  tenantId: string,
  { kind, caId, until }: { kind: SignerKind; caId: string; until: Date },
): Promise<CompleteCertificate[]> {
  const rows = await tx
    .select()
    .from(certificates)
    .where(
      and(eq(certificates.tenantId, tenantId), eq(certificates.caId, caId), eq(certificates.kind, kind), ending(until)),
    )
  return rows.filter(isComplete)
}

function ending(until: Date | SQL): SQL | undefined {
  return and(
    eq(certificates.isManaged, true),
    eq(certificates.isActive, true),
    isNull(certificates.revokedAt),
    isNull(certificates.retiredAt),
    isNotNull(certificates.certificate),
    lte(certificates.notAfter, until),
  )
}
