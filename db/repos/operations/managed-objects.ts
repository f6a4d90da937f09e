import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Reader, Writer } from '../../client.ts'
import { afterCursor, type Cursor } from '../../page.ts'
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

export type ManagedKey = Pick<ManagedObject, 'kind' | 'parentId' | 'objectId'>

/** Finds the row of an object, if files made it. */
export async function findManagedObject(
  db: Reader,
  tenantId: string,
  key: ManagedKey,
): Promise<ManagedObject | undefined> {
  const [row] = await db.select().from(managedObjects).where(isObject(tenantId, key)).limit(1)
  return row
}

/** Returns an object of these kinds in a parent, if files made one. */
export async function findManagedChild(
  db: Reader,
  tenantId: string,
  kinds: readonly string[],
  parentId: string,
): Promise<ManagedObject | undefined> {
  const [row] = await db
    .select()
    .from(managedObjects)
    .where(
      and(
        eq(managedObjects.tenantId, tenantId),
        inArray(managedObjects.kind, [...kinds]),
        eq(managedObjects.parentId, parentId),
      ),
    )
    .limit(1)
  return row
}

/** Returns one row more than the limit, oldest first. */
export async function listManagedObjects(
  db: Reader,
  tenantId: string,
  limit: number,
  cursor?: Cursor,
): Promise<ManagedObject[]> {
  const { createdAt, id } = managedObjects
  return db
    .select()
    .from(managedObjects)
    .where(and(eq(managedObjects.tenantId, tenantId), afterCursor(createdAt, id, cursor)))
    .orderBy(asc(createdAt), asc(id))
    .limit(limit + 1)
}

/** Stores managed objects. An object with the same kind, parent and name is replaced: it does not exist any more. */
export async function saveManagedObjects(tx: Writer, rows: readonly ManagedObject[]): Promise<void> {
  const { tenantId, kind, parentId, name, objectId, digest, createdAt } = managedObjects
  const inserted = ({ name: column }: PgColumn) => sql`excluded.${sql.identifier(column)}`
  for (const some of chunksOf(rows, 100)) {
    await tx
      .insert(managedObjects)
      .values(some)
      .onConflictDoUpdate({
        target: [tenantId, kind, parentId, name],
        set: { objectId: inserted(objectId), digest: inserted(digest), createdAt: inserted(createdAt) },
      })
  }
}

/** Deletes the rows of objects that do not exist any more. */
export async function forgetManagedObjects(tx: Writer, tenantId: string, ids: readonly string[]): Promise<void> {
  for (const some of chunksOf(ids)) {
    await tx.delete(managedObjects).where(and(eq(managedObjects.tenantId, tenantId), inArray(managedObjects.id, some)))
  }
}

function isObject(tenantId: string, { kind, parentId, objectId }: ManagedKey) {
  return and(
    eq(managedObjects.tenantId, tenantId),
    eq(managedObjects.objectId, objectId),
    eq(managedObjects.kind, kind),
    eq(managedObjects.parentId, parentId),
  )
}
