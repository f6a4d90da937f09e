import { and, eq, isNull } from 'drizzle-orm'
import type { SignableProfile } from '../../../shared/domain/issuance/profiles.ts'
import type { Reader, Writer } from '../../client.ts'
import { dialect, inRow, oneOf } from '../../columns.ts'
import { param, prepared } from '../../engine/prepared.ts'
import { signedCredentials } from '../../tables/credentials/signed-credentials.ts'
import { statusEntries } from '../../tables/status/entries.ts'

export type SignedCredentialRow = typeof signedCredentials.$inferSelect

/** The values that an earlier run of a job stored about a credential. */
export interface SignedBefore {
  id: string
  cancelledAt: Date | null
  /** The status list of a revocable credential. */
  listId: string | null
  position: number | null
}

const byIds = prepared('signed_credentials_by_ids', (db) =>
  db
    .select({
      id: signedCredentials.id,
      cancelledAt: signedCredentials.cancelledAt,
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

/** Returns those of the credentials that were already signed or cancelled. */
export async function findSignedBefore(db: Reader, tenantId: string, ids: string[]): Promise<SignedBefore[]> {
  return byIds(db, { tenantId, ids })
}

/** Inserts the credentials that were not signed or cancelled before. Returns their ids. */
export async function insertSigned(tx: Writer, rows: Omit<SignedCredentialRow, 'cancelledAt'>[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const inserted = await tx
    .insert(signedCredentials)
    .values(rows)
    .onConflictDoNothing()
    .returning({ id: signedCredentials.id })
  return new Set(inserted.map(({ id }) => id))
}

/** Cancels a credential. It is then not signed any more, or a signed one is treated as not issued. */
export async function cancelSigned(
  tx: Writer,
  tenantId: string,
  row: Pick<SignedCredentialRow, 'id' | 'profile' | 'issuedAt'>,
  at: Date,
): Promise<void> {
  await tx
    .insert(signedCredentials)
    .values({ ...row, tenantId, cancelledAt: at })
    .onConflictDoUpdate({
      target: signedCredentials.id,
      set: { cancelledAt: at },
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
        isNull(signedCredentials.cancelledAt),
      ),
    )
    .orderBy(signedCredentials.id)
  return dialect === 'postgres' ? rows.for('update', { of: signedCredentials }) : rows
})

/** Holds and returns those of the credentials that were signed directly (hold.ts). */
export async function holdSigned(
  tx: Writer,
  tenantId: string,
  ids: string[],
): Promise<{ id: string; profile: SignableProfile; listId: string | null }[]> {
  return ids.length === 0 ? [] : held(tx, { tenantId, ids })
}

/** Deletes the record of a signed credential of this profile. Returns false if there is none. */
export async function deleteSigned(
  tx: Writer,
  tenantId: string,
  id: string,
  profile: SignableProfile,
): Promise<boolean> {
  const rows = await tx
    .delete(signedCredentials)
    .where(
      and(
        inRow(signedCredentials.tenantId, tenantId),
        eq(signedCredentials.id, id),
        inRow(signedCredentials.profile, profile),
        isNull(signedCredentials.cancelledAt),
      ),
    )
    .returning({ id: signedCredentials.id })
  return rows.length === 1
}
