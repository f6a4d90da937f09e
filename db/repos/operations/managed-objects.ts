import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { managedObjects } from '../../tables/operations/managed-objects.ts'
import { chunksOf } from '../chunks.ts'

export type ManagedObject = typeof managedObjects.$inferSelect

/** Returns at most `limit` managed objects of the tenant. */
export async function findManagedObjects(db: Reader, tenantId: string, limit: number): Promise<ManagedObject[]> {
  return db
    .select()
    .from(managedObjects)
    .where(eq(managedObjects.tenantId, tenantId))
    .orderBy(asc(managedObjects.id))
    .limit(limit)
}

/** Stores a managed object. An object with the same kind, parent and name is replaced: it does not exist any more. */
export async function saveManagedObject(tx: Writer, row: ManagedObject): Promise<void> {
  const { tenantId, kind, parentId, objectId, digest } = row
  await tx
    .delete(managedObjects)
    .where(
      and(
        eq(managedObjects.tenantId, tenantId),
        eq(managedObjects.kind, kind),
        eq(managedObjects.parentId, parentId),
        eq(managedObjects.objectId, objectId),
      ),
    )
  await tx
    .insert(managedObjects)
    .values(row)
    .onConflictDoUpdate({
      target: [managedObjects.tenantId, managedObjects.kind, managedObjects.parentId, managedObjects.name],
      set: { objectId, digest },
    })
}

/** Deletes the rows of objects that do not exist any more. */
export async function forgetManagedObjects(tx: Writer, tenantId: string, ids: readonly string[]): Promise<void> {
  for (const some of chunksOf(ids)) {
    await tx.delete(managedObjects).where(and(eq(managedObjects.tenantId, tenantId), inArray(managedObjects.id, some)))
  }
}
