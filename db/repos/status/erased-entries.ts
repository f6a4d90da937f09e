import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Writer } from '../../client.ts'
import { statusEntries } from '../../tables/status/entries.ts'
import { chunksOf } from '../chunks.ts'
import { recordListChanges } from './entries.ts'

/**
 * Revokes credentials permanently and removes their ids from the list entries. The lists continue to show these entries
 * as invalid. Credentials that cannot be revoked have no entry.
 */
export async function anonymizeEntries(tx: Writer, tenantId: string, credentialIds: string[], at: Date): Promise<void> {
  const changed = new Set<string>()
  for (const chunk of chunksOf(credentialIds)) {
    const ofChunk = and(eq(statusEntries.tenantId, tenantId), inArray(statusEntries.credentialId, chunk))
    const revoked = await tx
      .update(statusEntries)
      .set({ status: 'invalid' })
      .where(and(ofChunk, ne(statusEntries.status, 'invalid')))
      .returning({ listId: statusEntries.listId })
    for (const { listId } of revoked) changed.add(listId)
    await tx.update(statusEntries).set({ credentialId: null }).where(ofChunk)
  }
  await recordListChanges(tx, tenantId, changed, at)
}
