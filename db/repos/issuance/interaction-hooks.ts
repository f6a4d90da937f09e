import { eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { interactionHooks } from '../../tables/issuance/interaction-hooks.ts'

export type InteractionHookRow = typeof interactionHooks.$inferSelect

export async function findInteractionHook(db: Reader, tenantId: string): Promise<InteractionHookRow | undefined> {
  const [row] = await db.select().from(interactionHooks).where(eq(interactionHooks.tenantId, tenantId))
  return row
}

/** Makes or replaces the tenant's hook; the secret of one that is there stays, unless it is to be renewed. */
export async function saveInteractionHook(
  tx: Writer,
  hook: InteractionHookRow,
  { renewSecret = false } = {},
): Promise<InteractionHookRow> {
  await tx.insert(interactionHooks).values(hook).onConflictDoNothing()
  const { tenantId, sealedSecret, ...content } = hook
  const [row] = await tx
    .update(interactionHooks)
    .set(renewSecret ? { ...content, sealedSecret } : content)
    .where(eq(interactionHooks.tenantId, tenantId))
    .returning()
  if (!row) throw new Error('a hook that was just saved is gone')
  return row
}
