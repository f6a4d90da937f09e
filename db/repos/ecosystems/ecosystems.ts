import { and, eq, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, paramOf, prepared } from '../../engine/prepared.ts'
import { findRow } from '../../find-row.ts'
import { addToOutbox } from '../../outbox.ts'
import type { PageRequest } from '../../page.ts'
import { ecosystemCredentialTypes } from '../../tables/ecosystems/credential-types.ts'
import { ecosystems } from '../../tables/ecosystems/ecosystems.ts'
import { participantCertificates } from '../../tables/ecosystems/participant-certificates.ts'
import { participants } from '../../tables/ecosystems/participants.ts'
import { listPage } from '../list-page.ts'

export type EcosystemRow = typeof ecosystems.$inferSelect

export async function insertEcosystem(tx: Writer, row: EcosystemRow): Promise<void> {
  await tx.insert(ecosystems).values(row)
}

export function findEcosystem(db: Reader, tenantId: string, id: string): Promise<EcosystemRow | undefined> {
  return findRow(db, ecosystems, tenantId, id)
}

export function listEcosystems(db: Reader, tenantId: string, page: PageRequest): Promise<EcosystemRow[]> {
  return listPage(db, ecosystems, tenantId, page)
}

/** Returns id and name of all ecosystems of a tenant. A limit bounds their number. */
export async function findEcosystemNames(db: Reader, tenantId: string): Promise<Pick<EcosystemRow, 'id' | 'name'>[]> {
  const { id, name, createdAt } = ecosystems
  return db.select({ id, name }).from(ecosystems).where(eq(ecosystems.tenantId, tenantId)).orderBy(createdAt, id)
}

/** Returns undefined if it does not exist. */
export async function renameEcosystem(
  tx: Writer,
  tenantId: string,
  id: string,
  name: string,
): Promise<EcosystemRow | undefined> {
  const [row] = await tx.update(ecosystems).set({ name }).where(byId(tenantId, id)).returning()
  return row
}

/**
 * Locks an ecosystem like `hold` before a change in it, and increments its revision. Changes in one ecosystem run one
 * after another, and none after its deletion. Returns undefined if it does not exist.
 */
export async function holdToModify(
  tx: Writer,
  tenantId: string,
  id: string,
  at: Date,
): Promise<EcosystemRow | undefined> {
  const [row] = await modify(tx, { tenantId, id, at })
  return row
}

const modify = prepared('modify_ecosystem', (tx) =>
  tx
    .update(ecosystems)
    .set({
      policyModifiedAt: sql`${paramOf(ecosystems.policyModifiedAt, 'at')}`,
      revision: sql`${ecosystems.revision} + 1`,
    })
    .where(and(eq(ecosystems.tenantId, param('tenantId')), eq(ecosystems.id, param('id'))))
    .returning(),
)

/** Deletes an ecosystem. A job of the outbox deletes its content. Returns false if it does not exist. */
export async function deleteEcosystem(tx: Writer, tenantId: string, id: string, at: Date): Promise<boolean> {
  const rows = await tx.delete(ecosystems).where(byId(tenantId, id)).returning({ id: ecosystems.id })
  if (rows.length === 0) return false
  await addToOutbox(tx, 'removeEcosystem', [{ id, payload: { tenantId, ecosystemId: id } }], at)
  return true
}

const counted = {
  ecosystemCredentialTypes,
  participants,
  participantCertificates,
} as const satisfies Record<string, PgTable & { tenantId: PgColumn; ecosystemId: PgColumn }>

/** The objects that have a limit in each ecosystem, by the name of the limit. */
export type CountedInEcosystem = keyof typeof counted

export async function countInEcosystem(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
  kind: CountedInEcosystem,
): Promise<number> {
  const table = counted[kind]
  return db.$count(table, and(eq(table.tenantId, tenantId), eq(table.ecosystemId, ecosystemId)))
}

function byId(tenantId: string, id: string) {
  return and(inRow(ecosystems.tenantId, tenantId), eq(ecosystems.id, id))
}
