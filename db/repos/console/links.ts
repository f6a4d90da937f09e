import { and, eq, gt } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import { consoleLinks } from '../../tables/console/links.ts'

export type ConsoleLinkRow = typeof consoleLinks.$inferSelect

export async function insertConsoleLink(tx: Writer, row: ConsoleLinkRow): Promise<void> {
  await tx.insert(consoleLinks).values(row)
}

/** Returns a link, also an expired one. */
export function findConsoleLink(db: Reader, tenantId: string, id: string): Promise<ConsoleLinkRow | undefined> {
  return findRow(db, consoleLinks, tenantId, id)
}

/** Spends a link that is not expired. Returns false if the link was already spent. */
export async function spendConsoleLink(tx: Writer, tenantId: string, id: string, at: Date): Promise<boolean> {
  const spent = await tx
    .delete(consoleLinks)
    .where(and(byId(tenantId, id), gt(consoleLinks.expiresAt, at)))
    .returning({ id: consoleLinks.id })
  return spent.length === 1
}

function byId(tenantId: string, id: string) {
  return and(inRow(consoleLinks.tenantId, tenantId), eq(consoleLinks.id, id))
}
