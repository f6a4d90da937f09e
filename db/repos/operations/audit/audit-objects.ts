import { and, desc, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../../client.ts'
import { preparedInsert } from '../../../engine/prepared.ts'
import { auditEvents } from '../../../tables/operations/audit-events.ts'
import { auditObjects } from '../../../tables/operations/audit-objects.ts'

/** The credentials that an audit entry is about, and the name of the client or person at the time of the change. */
export interface AuditedObjects {
  ids: string[]
  changedByName: string | undefined
}

/** The last change of the status of a credential. */
export interface LastStatusChange {
  at: Date
  requestId: string
  clientId: string | null
  managementUserId: string | null
  name: string | null
}

const insertRows = preparedInsert('insert_audit_objects', auditObjects)

/** Stores the credentials that audit rows are about. `entries` have the id of their row. */
export async function insertAuditObjects(
  tx: Writer,
  entries: { tenantId: string; id: string; objects?: AuditedObjects | undefined }[],
): Promise<void> {
  const rows = entries.flatMap(({ tenantId, id: auditId, objects }) =>
    (objects?.ids ?? []).map((objectId) => {
      return { tenantId, objectId, auditId, changedByName: objects?.changedByName ?? null }
    }),
  )
  await insertRows(tx, rows)
}

/** The number of changes of a credential that are found by it. */
const maxFoundChanges = 1_000

/** Returns the ids of the audit rows about a credential, at most the newest `maxFoundChanges`. */
export async function findAuditIds(db: Reader, tenantId: string, objectId: string): Promise<string[]> {
  const rows = await db
    .select({ id: auditObjects.auditId })
    .from(auditObjects)
    .where(and(eq(auditObjects.tenantId, tenantId), eq(auditObjects.objectId, objectId)))
    .orderBy(desc(auditObjects.auditId))
    .limit(maxFoundChanges)
  return rows.map(({ id }) => id)
}

/** Returns who changed the status of a credential last. Undefined if it was not changed since version 0.1. */
export async function findLastStatusChange(
  db: Reader,
  tenantId: string,
  credentialId: string,
): Promise<LastStatusChange | undefined> {
  const { timestamp: at, requestId, clientId, managementUserId } = auditEvents
  const [row] = await db
    .select({ at, requestId, clientId, managementUserId, name: auditObjects.changedByName })
    .from(auditObjects)
    .innerJoin(auditEvents, and(eq(auditEvents.tenantId, tenantId), eq(auditEvents.id, auditObjects.auditId)))
    .where(and(eq(auditObjects.tenantId, tenantId), eq(auditObjects.objectId, credentialId)))
    .orderBy(desc(auditObjects.auditId))
    .limit(1)
  return row
}
