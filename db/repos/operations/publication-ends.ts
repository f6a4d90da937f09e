import { and, eq, gt, inArray, isNotNull, isNull, min, type SQL, sql } from 'drizzle-orm'
import type { PublicationKind } from '../../../shared/domain/operations/publications.ts'
import type { Reader } from '../../client.ts'
import { certificates } from '../../tables/certificates/certificates.ts'
import { crls } from '../../tables/certificates/crls.ts'
import { trustedListConfigurations as configurations, trustedLists } from '../../tables/ecosystems/trusted-lists.ts'
import { statusLists } from '../../tables/status/lists.ts'
import { publishedLists } from '../../tables/status/published-lists.ts'
import { nextUpdateOfLast } from '../ecosystems/trusted-lists.ts'

type Ends = Map<PublicationKind, Date>

/**
 * Returns for each kind when the first of the tenant's current documents ends. A kind without documents is left out. A
 * certificate that has ended is not published, nor are its CRL and the status lists of its credentials.
 */
export async function findPublicationEnds(db: Reader, tenantId: string, at: Date): Promise<Ends> {
  return findEnds(db, at, tenantId)
}

/** Returns the same over all tenants. A tenant has few documents of each kind. */
export async function findAllPublicationEnds(db: Reader, at: Date): Promise<Ends> {
  return findEnds(db, at, undefined)
}

async function findEnds(db: Reader, at: Date, tenantId: string | undefined): Promise<Ends> {
  const ends = await Promise.all([
    endsOfStatusLists(db, tenantId),
    endsOfAuthorities(db, at, tenantId),
    endsOfCrls(db, at, tenantId),
    endsOfTrustedLists(db, tenantId),
  ])
  return new Map(ends.flat().flatMap(({ kind, end }) => (end ? [[kind, end]] : [])))
}

type Found = Promise<{ kind: PublicationKind; end: Date | null }[]>

async function endsOfStatusLists(db: Reader, tenantId: string | undefined): Found {
  const rows = await db
    .select({ kind: statusLists.kind, end: min(publishedLists.expiresAt) })
    .from(publishedLists)
    .innerJoin(
      statusLists,
      and(eq(statusLists.tenantId, publishedLists.tenantId), eq(statusLists.id, publishedLists.listId)),
    )
    // A list without a renewal has no end, or its authority has ended and it is not published any more.
    .where(
      and(
        isNotNull(publishedLists.renewAt),
        tenantId === undefined ? undefined : eq(publishedLists.tenantId, tenantId),
      ),
    )
    .groupBy(statusLists.kind)
  return rows.map(({ kind, end }) => ({ kind: `${kind}-list` as const, end }))
}

const authorityKinds = ['iaca', 'ecosystem-ca'] as const

/** The condition for authorities of these kinds that have not ended. */
function isAuthority(at: Date, tenantId: string | undefined): SQL | undefined {
  const ofTenant = tenantId === undefined ? undefined : eq(certificates.tenantId, tenantId)
  return and(inArray(certificates.kind, [...authorityKinds]), gt(certificates.notAfter, at), ofTenant)
}

async function endsOfAuthorities(db: Reader, at: Date, tenantId: string | undefined): Found {
  const { kind, notAfter, certificate, isActive, revokedAt, retiredAt } = certificates
  const isInUse = and(isNotNull(certificate), eq(isActive, true), isNull(revokedAt), isNull(retiredAt))
  const rows = await db
    .select({ kind, end: min(notAfter) })
    .from(certificates)
    .where(and(isAuthority(at, tenantId), isInUse))
    .groupBy(kind)
  return authorityKinds.flatMap((each) =>
    rows.flatMap((row) => (row.kind === each ? [{ kind: each, end: row.end }] : [])),
  )
}

async function endsOfCrls(db: Reader, at: Date, tenantId: string | undefined): Found {
  const rows = await db
    .select({ kind: certificates.kind, end: min(crls.nextUpdate) })
    .from(crls)
    .innerJoin(certificates, and(eq(certificates.tenantId, crls.tenantId), eq(certificates.id, crls.caId)))
    .where(isAuthority(at, tenantId))
    .groupBy(certificates.kind)
  return authorityKinds.flatMap((each) =>
    rows.flatMap((row) => (row.kind === each ? [{ kind: `${each}-crl` as const, end: row.end }] : [])),
  )
}

/** The kinds of `PublicationKind`. The metrics of trusted lists have the ends of the others. */
const mobileLists = ['vical', 'rical'] as const

async function endsOfTrustedLists(db: Reader, tenantId: string | undefined): Found {
  const last = nextUpdateOfLast(db)
  const ofTenant = tenantId === undefined ? undefined : eq(configurations.tenantId, tenantId)
  const rows = await db
    .select({ kind: configurations.kind, end: sql<Date | null>`min((${last}))`.mapWith(trustedLists.nextUpdate) })
    .from(configurations)
    .where(and(isNotNull(configurations.provider), inArray(configurations.kind, mobileLists), ofTenant))
    .groupBy(configurations.kind)
  return mobileLists.flatMap((kind) => rows.flatMap((row) => (row.kind === kind ? [{ kind, end: row.end }] : [])))
}
