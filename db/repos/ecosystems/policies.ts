import { and, desc, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { ecosystems } from '../../tables/ecosystems/ecosystems.ts'
import { type PolicyKind, ecosystemPolicies as policies } from '../../tables/ecosystems/policies.ts'

export type PolicyRow = typeof policies.$inferSelect

export async function insertPolicy(tx: Writer, row: PolicyRow): Promise<void> {
  await tx.insert(policies).values(row)
}

/** Deletes all policies of a kind of which only the last is read. */
export async function deletePolicies(
  tx: Writer,
  tenantId: string,
  ecosystemId: string,
  kind: PolicyKind,
): Promise<void> {
  await tx.delete(policies).where(ofKind(tenantId, ecosystemId, kind))
}

/**
 * Returns a policy by its id, or the last one, without its content. Returns undefined if it or its ecosystem does not
 * exist.
 */
export async function findPolicy(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
  kind: PolicyKind,
  id: string | 'latest',
): Promise<Pick<PolicyRow, 'id' | 'publishedAt'> | undefined> {
  const [policy] = await db
    .select({ id: policies.id, publishedAt: policies.publishedAt })
    .from(policies)
    .innerJoin(ecosystems, and(eq(ecosystems.id, policies.ecosystemId), eq(ecosystems.tenantId, tenantId)))
    .where(and(ofKind(tenantId, ecosystemId, kind), id === 'latest' ? undefined : eq(policies.id, id)))
    .orderBy(desc(policies.publishedAt), desc(policies.id))
    .limit(1)
  return policy
}

/** Returns the content of a policy, which never changes for an id. Returns undefined if it does not exist. */
export async function findPolicyContent(db: Reader, tenantId: string, id: string): Promise<Buffer | undefined> {
  const [row] = await db
    .select({ content: policies.content })
    .from(policies)
    .where(and(inRow(policies.tenantId, tenantId), eq(policies.id, id)))
  return row?.content
}

/** Returns false if it does not exist. */
export async function deletePolicy(
  tx: Writer,
  tenantId: string,
  ecosystemId: string,
  kind: PolicyKind,
  id: string,
): Promise<boolean> {
  const rows = await tx
    .delete(policies)
    .where(and(ofKind(tenantId, ecosystemId, kind), eq(policies.id, id)))
    .returning({ id: policies.id })
  return rows.length === 1
}

/** Deletes the policy that was published with a trusted list, if it exists. It has the id of the list. */
export async function deletePolicyOfList(tx: Writer, tenantId: string, listId: string): Promise<void> {
  await tx
    .delete(policies)
    .where(and(inRow(policies.tenantId, tenantId), eq(policies.id, listId), inRow(policies.listId, listId)))
}

function ofKind(tenantId: string, ecosystemId: string, kind: PolicyKind) {
  return and(eq(policies.tenantId, tenantId), eq(policies.ecosystemId, ecosystemId), eq(policies.kind, kind))
}
