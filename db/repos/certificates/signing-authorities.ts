import { and, desc, eq, gt, gte, isNotNull, isNull, lte, or, type SQL } from 'drizzle-orm'
import { plusMs } from '../../../shared/clock.ts'
import { needsActiveAuthority } from '../../../shared/domain/certificates/certificates.ts'
import { certifierOf, type SignerKind } from '../../../shared/formats/x509/profiles.ts'
import type { Reader } from '../../client.ts'
import { alias } from '../../columns.ts'
import { certificates } from '../../tables/certificates/certificates.ts'
import { type CompleteCertificate, isComplete } from './certificates.ts'

const authorities = alias(certificates, 'authorities')

/** A signer stops signing this time before its end, because clocks can differ. */
export const signerSpareMs = 3_600_000

/** The requirements for a signer. */
export interface SignerRequirements {
  kind: SignerKind
  /** The authority of the signer. Any active authority if absent. */
  caId?: string | undefined
  at: Date
  /** The signer expires after this time, or together with its authority. Default: `signerSpareMs` after `at`. */
  until?: Date
}

/** An authority under which the service can sign. */
export interface SigningAuthority {
  authority: CompleteCertificate
  /** Its newest usable signer. Absent if the authority is managed and the signer must be made first. */
  signer?: CompleteCertificate
}

/**
 * Returns the newest authority that can sign: valid, active, and either managed or with a usable signer. A signer is usable if it is active,
 * not revoked or replaced, and valid.
 */
export async function findSigningAuthority(
  db: Reader,
  tenantId: string,
  { kind, caId, at, until = plusMs(at, signerSpareMs) }: SignerRequirements,
): Promise<SigningAuthority | undefined> {
  const isUsable = and(
    eq(certificates.tenantId, tenantId),
    eq(certificates.caId, authorities.id),
    eq(certificates.kind, kind),
    eq(certificates.isActive, true),
    isNull(certificates.revokedAt),
    isNull(certificates.retiredAt),
    isNotNull(certificates.certificate),
    lte(certificates.notBefore, at),
    // In the last hour of an authority no signer expires later.
    or(
      gt(certificates.notAfter, until),
      and(gt(certificates.notAfter, at), gte(certificates.notAfter, authorities.notAfter)),
    ),
  )
  const [row] = await db
    .select({ authority: authorities, signer: certificates })
    .from(authorities)
    .leftJoin(certificates, isUsable)
    .where(
      and(mayCertify(tenantId, { kind, caId, at }), or(eq(authorities.isManaged, true), isNotNull(certificates.id))),
    )
    .orderBy(desc(authorities.createdAt), authorities.id, desc(certificates.createdAt), certificates.id)
    .limit(1)
  if (!isComplete(row?.authority)) return undefined
  const { authority, signer } = row
  return { authority, ...(signer && isComplete(signer) && { signer }) }
}

/** Returns the creation time of the first signer of a kind under an authority. Returns undefined if there is none. */
export async function findFirstSignerTime(
  db: Reader,
  tenantId: string,
  { kind, caId }: { kind: SignerKind; caId: string },
): Promise<Date | undefined> {
  const [first] = await db
    .select({ createdAt: certificates.createdAt })
    .from(certificates)
    .where(
      and(
        eq(certificates.tenantId, tenantId),
        eq(certificates.caId, caId),
        eq(certificates.kind, kind),
        isNotNull(certificates.certificate),
      ),
    )
    .orderBy(certificates.createdAt)
    .limit(1)
  return first?.createdAt
}

/** Whether an authority is valid, and active if the kind of signer requires it. It may have no signer. */
export async function hasAuthority(
  db: Reader,
  tenantId: string,
  requirements: Omit<SignerRequirements, 'until'>,
): Promise<boolean> {
  const rows = await db
    .select({ id: authorities.id })
    .from(authorities)
    .where(mayCertify(tenantId, requirements))
    .limit(1)
  return rows.length > 0
}

function mayCertify(tenantId: string, { kind, caId, at }: Omit<SignerRequirements, 'until'>): SQL | undefined {
  return and(
    eq(authorities.tenantId, tenantId),
    eq(authorities.kind, certifierOf(kind)),
    isNotNull(authorities.certificate),
    caId === undefined || needsActiveAuthority(kind) ? eq(authorities.isActive, true) : undefined,
    caId === undefined ? undefined : eq(authorities.id, caId),
    lte(authorities.notBefore, at),
    gt(authorities.notAfter, at),
  )
}
