import { and, eq, isNull } from 'drizzle-orm'
import type { DidProfile } from '../../../shared/domain/issuance/profiles.ts'
import type { Reader, Writer } from '../../client.ts'
import { dialect, inRow, oneOf } from '../../columns.ts'
import { param, prepared } from '../../engine/prepared.ts'
import { signedCredentials } from '../../tables/credentials/signed-credentials.ts'
import { statusEntries } from '../../tables/status/entries.ts'

export type SignedCredentialRow = typeof signedCredentials.$inferSelect

/** What an earlier run of a job left of a credential. */
export interface SignedBefore {
  id: string
  calledOffAt: Date | null
  /** Where it stands, if it is revocable. */
  listId: string | null
  position: number | null
}

const byIds = prepared('signed_credentials_by_ids', (db) =>
  db
    .select({
      id: signedCredentials.id,
      calledOffAt: signedCredentials.calledOffAt,
      listId: statusEntries.listId,
      position: statusEntries.position,
    })
    .from(signedCredentials)
    .leftJoin(
      statusEntries,
      and(eq(statusEntries.tenantId, signedCredentials.tenantId), eq(statusEntries.credentialId, signedCredentials.id)),
    )
    .where(and(inRow(signedCredentials.tenantId, param('tenantId')), oneOf(signedCredentials.id, 'ids'))),
)

/** Those of the credentials that were signed, or called off, before. */
export async function findSignedBefore(db: Reader, tenantId: string, ids: string[]): Promise<SignedBefore[]> {
  return byIds(db, { tenantId, ids })
}

/** Says which of the credentials were not signed or called off before: only they are written. */
export async function insertSigned(tx: Writer, rows: Omit<SignedCredentialRow, 'calledOffAt'>[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const inserted = await tx
    .insert(signedCredentials)
    .values(rows)
    .onConflictDoNothing()
    .returning({ id: signedCredentials.id })
  return new Set(inserted.map(({ id }) => id))
}

/** Makes sure that a credential never is one: that it is not signed any more, or that what was signed counts as none. */
export async function callOffSigned(
  tx: Writer,
  tenantId: string,
  row: Pick<SignedCredentialRow, 'id' | 'profile' | 'issuedAt'>,
  at: Date,
): Promise<void> {
  await tx
    .insert(signedCredentials)
    .values({ ...row, tenantId, calledOffAt: at })
    .onConflictDoUpdate({
      target: signedCredentials.id,
      set: { calledOffAt: at },
      setWhere: eq(signedCredentials.tenantId, tenantId),
    })
}

const held = prepared('hold_signed_credentials_with_entries', (tx) => {
  const rows = tx
    .select({ id: signedCredentials.id, profile: signedCredentials.profile, listId: statusEntries.listId })
    .from(signedCredentials)
    .leftJoin(
      statusEntries,
      and(eq(statusEntries.tenantId, signedCredentials.tenantId), eq(statusEntries.credentialId, signedCredentials.id)),
    )
    .where(
      and(
        inRow(signedCredentials.tenantId, param('tenantId')),
        oneOf(signedCredentials.id, 'ids'),
        isNull(signedCredentials.calledOffAt),
      ),
    )
    .orderBy(signedCredentials.id)
  return dialect === 'postgres' ? rows.for('update', { of: signedCredentials }) : rows
})

/** Those of the credentials that were signed directly, until the transaction ends nobody else's to change (hold.ts). */
export async function holdSigned(
  tx: Writer,
  tenantId: string,
  ids: string[],
): Promise<{ id: string; profile: DidProfile; listId: string | null }[]> {
  return ids.length === 0 ? [] : held(tx, { tenantId, ids })
}

/** Forgets that a credential of this profile was signed. False when there is no record of it. */
export async function deleteSigned(tx: Writer, tenantId: string, id: string, profile: DidProfile): Promise<boolean> {
  const rows = await tx
    .delete(signedCredentials)
    .where(
      and(
        inRow(signedCredentials.tenantId, tenantId),
        eq(signedCredentials.id, id),
        inRow(signedCredentials.profile, profile),
        isNull(signedCredentials.calledOffAt),
      ),
    )
    .returning({ id: signedCredentials.id })
  return rows.length === 1
}
