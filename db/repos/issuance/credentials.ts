import { and, asc, eq } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { afterCursor, type Cursor } from '../../page.ts'
import { credentials } from '../../tables/issuance/credentials.ts'
import type { CredentialRow } from './issuances.ts'

/** What was issued to a user, oldest first. */
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
