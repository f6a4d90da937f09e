import { removeFromOutbox } from '../../db/outbox.ts'
import { deleteProviderKeys } from '../../db/repos/identifiers/key-destruction.ts'
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
import type { Attempt, WorkerDeps } from '../jobs/handlers.ts'
import { runBatchesUntil } from '../jobs/run-until.ts'
import { Postpone } from '../serve.ts'

/** After this time the job is queued again, so that other upkeep jobs can run. */
const maxRunMs = 5_000
/** After this time no request that started before the deletion can write any more. */
const lastWritesMs = 120_000

/** Destroys the keys of a deleted tenant, and removes its rows, then the tenant. The job can run any number of times. */
export async function removeTenant(
  deps: WorkerDeps,
  { tenantId }: Payload<'removeTenant'>,
  attempt: Attempt,
): Promise<void> {
  const { bus, clock } = deps
  await removeAll(deps, [(tx, limit) => deleteProviderKeys(tx, tenantId, clock.now(), limit)])
  bus.poke()
  await removeTwice(deps, tenantRemovals(tenantId), attempt)
  await deps.db.tx(async (tx) => {
    await deleteTenantRow(tx, tenantId)
    await removeFromOutbox(tx, [tenantId])
  })
}

/** Removes the deliveries of a deleted webhook. */
export async function removeWebhook(
  deps: WorkerDeps,
  { tenantId, webhookId }: Payload<'removeWebhook'>,
  attempt: Attempt,
): Promise<void> {
  await removeTwice(deps, [webhookRemoval(tenantId, webhookId)], attempt)
  await deps.db.tx((tx) => removeFromOutbox(tx, [webhookId]))
}

/** Removes the instances of a deleted holder application. */
export async function removeHolderApplication(
  deps: WorkerDeps,
  { tenantId, applicationId }: Payload<'removeHolderApplication'>,
  attempt: Attempt,
): Promise<void> {
  await removeTwice(deps, [holderApplicationRemoval(tenantId, applicationId)], attempt)
  await deps.db.tx((tx) => removeFromOutbox(tx, [applicationId]))
}

/** Removes the messages of a deleted inbox. */
export async function removeInbox(
  deps: WorkerDeps,
  { tenantId, inboxId }: Payload<'removeInbox'>,
  attempt: Attempt,
): Promise<void> {
  await removeTwice(deps, [inboxRemoval(tenantId, inboxId)], attempt)
  await deps.db.tx((tx) => removeFromOutbox(tx, [inboxId]))
}

/**
 * Removes the content of a deleted ecosystem. Once is enough: a writer holds the row of the ecosystem, which was deleted before this job was
 * queued.
 */
export async function removeEcosystem(
  deps: WorkerDeps,
  { tenantId, ecosystemId }: Payload<'removeEcosystem'>,
): Promise<void> {
  await removeAll(deps, ecosystemRemovals(tenantId, ecosystemId))
  await deps.db.tx((tx) => removeFromOutbox(tx, [ecosystemId]))
}

/** Removes the rows at once, and again in the second attempt for rows that were written meanwhile. */
async function removeTwice(deps: WorkerDeps, removals: Removal[], attempt: Attempt): Promise<void> {
  await removeAll(deps, removals)
  if (attempt.number === 1) throw new RetryLater(lastWritesMs, 'requests from before the deletion can still write')
}

async function removeAll(deps: WorkerDeps, removals: Removal[]): Promise<void> {
  const until = performance.now() + maxRunMs
  for (const removal of removals) {
    const { isAll } = await runBatchesUntil(deps, removal, until)
    if (!isAll) throw new Postpone(1)
  }
}
