import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Writer } from '../../client.ts'
import { statusEntries } from '../../tables/status/entries.ts'
import { chunksOf } from '../chunks.ts'
import { recordListChanges } from './entries.ts'

/**
 * Revokes credentials permanently and removes their ids from the list entries. The lists continue to show these entries
 * as invalid. Credentials that cannot be revoked have no entry. Returns how many were revoked, the number of entries, and their lists.
 */
export async function anonymizeEntries(
  tx: Writer,
  tenantId: string,
  credentialIds: string[],
  at: Date,
): Promise<{ revoked: number; entries: number; lists: string[] }> {
  const [changed, lists] = [new Set<string>(), new Set<string>()]
  let [revoked, emptied] = [0, 0]
  for (const chunk of chunksOf(credentialIds)) {
    const ofChunk = and(eq(statusEntries.tenantId, tenantId), inArray(statusEntries.credentialId, chunk))
    const newlyInvalid = await tx
      .update(statusEntries)
      .set({ status: 'invalid' })
      .where(and(ofChunk, ne(statusEntries.status, 'invalid')))
      .returning({ listId: statusEntries.listId })
    for (const { listId } of newlyInvalid) changed.add(listId)
    revoked += newlyInvalid.length
    const entries = await tx
      .update(statusEntries)
      .set({ credentialId: null })
      .where(ofChunk)
      .returning({ listId: statusEntries.listId })
    for (const { listId } of entries) lists.add(listId)
    emptied += entries.length
  }
  await recordListChanges(tx, tenantId, changed, at)
  return { revoked, entries: emptied, lists: [...lists].sort() }
}
