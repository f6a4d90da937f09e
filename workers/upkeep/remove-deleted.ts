import { removeFromOutbox } from '../../db/outbox.ts'
import {
  deleteTenantRow,
  ecosystemRemovals,
  holderApplicationRemoval,
  inboxRemoval,
  type Removal,
  tenantRemovals,
  webhookRemoval,
} from '../../db/retention/removal.ts'
import { RetryLater } from '../../shared/jobs/definition.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import type { Attempt, WorkerDeps } from '../handlers.ts'
import { Postpone } from '../serve.ts'
import { inBatches } from './in-batches.ts'

/** What takes longer goes to the end of the line, so that the other jobs of upkeep get their turn. */
const turnMs = 5_000
/** What was under way when the owner was deleted, here or in a process that did not know of it yet, has ended by then. */
const lastWritesMs = 120_000

/** Removes what a deleted tenant owned, then its row. Any number of times, from anywhere. */
export async function removeTenant(
  deps: WorkerDeps,
  { tenantId }: Payload<'removeTenant'>,
  attempt: Attempt,
): Promise<void> {
  await removeTwice(deps, tenantRemovals(tenantId), attempt)
  await deps.db.tx(async (tx) => {
    await deleteTenantRow(tx, tenantId)
    await removeFromOutbox(tx, [tenantId])
  })
}

/** Removes the deliveries of a webhook that was deleted. */
export async function removeWebhook(
  deps: WorkerDeps,
  { tenantId, webhookId }: Payload<'removeWebhook'>,
  attempt: Attempt,
): Promise<void> {
  await removeTwice(deps, [webhookRemoval(tenantId, webhookId)], attempt)
  await deps.db.tx((tx) => removeFromOutbox(tx, [webhookId]))
}

/** Removes the instances of a holders' application that was deleted. */
export async function removeHolderApplication(
  deps: WorkerDeps,
  { tenantId, applicationId }: Payload<'removeHolderApplication'>,
  attempt: Attempt,
): Promise<void> {
  await removeTwice(deps, [holderApplicationRemoval(tenantId, applicationId)], attempt)
  await deps.db.tx((tx) => removeFromOutbox(tx, [applicationId]))
}

/** Removes the messages of an inbox that was deleted. */
export async function removeInbox(
  deps: WorkerDeps,
  { tenantId, inboxId }: Payload<'removeInbox'>,
  attempt: Attempt,
): Promise<void> {
  await removeTwice(deps, [inboxRemoval(tenantId, inboxId)], attempt)
  await deps.db.tx((tx) => removeFromOutbox(tx, [inboxId]))
}

/**
 * Removes what was in an ecosystem that was deleted. Once is enough: who writes there holds the ecosystem, which was gone by
 * the time that this was queued.
 */
export async function removeEcosystem(
  deps: WorkerDeps,
  { tenantId, ecosystemId }: Payload<'removeEcosystem'>,
): Promise<void> {
  await removeAll(deps, ecosystemRemovals(tenantId, ecosystemId))
  await deps.db.tx((tx) => removeFromOutbox(tx, [ecosystemId]))
}

/** Once at once, and again for what was written meanwhile. */
async function removeTwice(deps: WorkerDeps, removals: Removal[], attempt: Attempt): Promise<void> {
  await removeAll(deps, removals)
  if (attempt.number === 1) throw new RetryLater(lastWritesMs, 'what was under way may still be written')
}

async function removeAll(deps: WorkerDeps, removals: Removal[]): Promise<void> {
  const until = performance.now() + turnMs
  for (const removal of removals) {
    const { isAll } = await inBatches(deps, removal, until)
    if (!isAll) throw new Postpone(1)
  }
}
