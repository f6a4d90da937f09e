import { and, asc, eq, sql } from 'drizzle-orm'
import type { CredentialProfile } from '../../../shared/domain/issuance/profiles.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow, oneOf } from '../../columns.ts'
import { gathered } from '../../engine/gathered.ts'
import { param, prepared } from '../../engine/prepared.ts'
import { findRow } from '../../find-row.ts'
import { afterCursor, type Cursor } from '../../page.ts'
import { credentials } from '../../tables/issuance/credentials.ts'
import { issuances } from '../../tables/issuance/issuances.ts'
import type { CredentialRow } from './issuances.ts'

/** Returns the credentials of a user, oldest first. */
export async function listUserCredentials(
  db: Reader,
  tenantId: string,
  userId: string,
  limit: number,
  cursor?: Cursor,
): Promise<CredentialRow[]> {
  return db
    .select()
    .from(credentials)
    .where(
      and(
        eq(credentials.tenantId, tenantId),
        eq(credentials.userId, userId),
        afterCursor(credentials.issuedAt, credentials.id, cursor),
      ),
    )
    .orderBy(asc(credentials.issuedAt), asc(credentials.id))
    .limit(limit + 1)
}

export function findCredential(db: Reader, tenantId: string, id: string): Promise<CredentialRow | undefined> {
  return findRow(db, credentials, tenantId, id)
}

const issued = prepared('issued_credentials', (db) =>
  db
    .select({ issuanceId: credentials.issuanceId, credentialId: credentials.id, issuedAt: credentials.issuedAt })
    .from(credentials)
    .where(and(inRow(credentials.tenantId, param('tenantId')), oneOf(credentials.issuanceId, 'issuanceIds'))),
)

/** Returns the credentials of these issuances. */
export async function findIssued(
  db: Reader,
  tenantId: string,
  issuanceIds: string[],
): Promise<{ issuanceId: string | null; credentialId: string; issuedAt: Date }[]> {
  return issued(db, { tenantId, issuanceIds })
}

/**
 * The content of an issuance is in one of its rows only: 30 credentials of a batch would otherwise read it 30 times. The rows are numbered
 * before the join, because SQLite copies all columns of the rows that it numbers.
 */
const withIssued = prepared('credentials_with_issued', (db) => {
  const numbered = db
    .select({
      id: credentials.id,
      tenantId: credentials.tenantId,
      userId: credentials.userId,
      profile: credentials.profile,
      configurationId: credentials.configurationId,
      offerId: credentials.offerId,
      sessionId: credentials.sessionId,
      viewId: credentials.viewId,
      issuanceId: credentials.issuanceId,
      number: sql<number>`row_number() over (partition by ${credentials.issuanceId})`.as('number'),
    })
    .from(credentials)
    .where(and(inRow(credentials.tenantId, param('tenantId')), oneOf(credentials.id, 'ids')))
    .as('numbered')
  const { tenantId, number, ...record } = numbered._.selectedFields
  return db
    .select({ ...record, issued: issuances.credentials })
    .from(numbered)
    .leftJoin(
      issuances,
      and(inRow(issuances.tenantId, tenantId), eq(issuances.id, record.issuanceId), sql`${number} = 1`),
    )
})

const withIssuedById = gathered(async (db, tenantId, ids) => {
  const rows = await withIssued(db, { tenantId, ids })
  const issued = new Map(
    rows.flatMap(({ issuanceId, issued }) => (issued === null ? [] : [[issuanceId, issued] as const])),
  )
  return new Map(rows.map((row) => [row.id, { ...row, issued: issued.get(row.issuanceId) ?? null }]))
})

/**
 * Returns the record of a credential with all credentials of its issuance, sealed. `issued` is null after those were
 * removed.
 */
export async function findIssuedCredential(db: Reader, tenantId: string, id: string) {
  return withIssuedById(db, tenantId, id)
}

/** Deletes the record of a credential of this profile. Returns false if the record does not exist. */
export async function deleteCredential(
  tx: Writer,
  tenantId: string,
  id: string,
  profile: CredentialProfile,
): Promise<boolean> {
  const rows = await tx
    .delete(credentials)
    .where(and(inRow(credentials.tenantId, tenantId), eq(credentials.id, id), inRow(credentials.profile, profile)))
    .returning({ id: credentials.id })
  return rows.length === 1
}
