import { and, eq, gt } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { consoleLinks } from '../../tables/console/links.ts'

export type ConsoleLinkRow = typeof consoleLinks.$inferSelect

export async function insertConsoleLink(tx: Writer, row: ConsoleLinkRow): Promise<void> {
  await tx.insert(consoleLinks).values(row)
}

/** Also one that is over. */
export async function findConsoleLink(db: Reader, tenantId: string, id: string): Promise<ConsoleLinkRow | undefined> {
  const [row] = await db.select().from(consoleLinks).where(byId(tenantId, id))
  return row
}

/** Takes a link that is not over. False where there is none any more, as when somebody else got there first. */
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
