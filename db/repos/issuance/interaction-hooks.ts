import { eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { interactionHooks } from '../../tables/issuance/interaction-hooks.ts'

export type InteractionHookRow = typeof interactionHooks.$inferSelect

export async function findInteractionHook(db: Reader, tenantId: string): Promise<InteractionHookRow | undefined> {
  const [row] = await db.select().from(interactionHooks).where(eq(interactionHooks.tenantId, tenantId))
  return row
}

/** Creates or replaces the hook of the tenant. Keeps the stored secret, unless `renewSecret` is set. */
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
  if (!row) throw new Error('the saved interaction hook was not found')
  return row
}
