import { eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { param, prepared } from '../../engine/prepared.ts'
import { consoleProviders } from '../../tables/console/providers.ts'

export type ConsoleProviderRow = typeof consoleProviders.$inferSelect

const ofTenant = prepared('console_provider', (db) =>
  db
    .select()
    .from(consoleProviders)
    .where(eq(consoleProviders.tenantId, param('tenantId'))),
)

export async function findConsoleProvider(db: Reader, tenantId: string): Promise<ConsoleProviderRow | undefined> {
  const [row] = await ofTenant(db, { tenantId })
  return row
}

/** Inserts the provider of the tenant, or replaces the content of the existing one, which keeps its id. */
export async function saveConsoleProvider(tx: Writer, row: ConsoleProviderRow): Promise<void> {
  const { id: _id, tenantId: _tenantId, createdAt: _createdAt, ...content } = row
  await tx.insert(consoleProviders).values(row).onConflictDoUpdate({ target: consoleProviders.tenantId, set: content })
}

/** Deletes the provider and returns its id. Returns undefined if there is none. */
export async function deleteConsoleProvider(tx: Writer, tenantId: string): Promise<string | undefined> {
  const [row] = await tx
    .delete(consoleProviders)
    .where(eq(consoleProviders.tenantId, tenantId))
    .returning({ id: consoleProviders.id })
  return row?.id
}
