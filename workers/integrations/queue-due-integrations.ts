import {
  findDueIntegrations,
  returnIntegrations,
  takeDueIntegrations,
} from '../../db/repos/ecosystems/due-integrations.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'

/** The concurrent jobs of all tenants and of one tenant. Other due rows wait in the database. */
const limits = { maxAtOnce: 40, maxOfTenant: 2 }

/**
 * Queues due integrations. The row of an integration is taken, so that a concurrent run takes other rows. Rows that the queue refuses are
 * released for the next run.
 */
export async function queueDueIntegrations({ db, bus, clock }: WorkerDeps): Promise<void> {
  const at = clock.now()
  const due = await findDueIntegrations(db.read, at, limits)
  if (due.length === 0) return
  const taken = await db.tx((tx) => takeDueIntegrations(tx, due, at))
  const entries = taken.map((payload) => ({
    payload,
    options: { id: `integration-${payload.integrationId}-${payload.queuedUntil}` },
  }))
  try {
    await bus.sendMany('syncIntegration', entries)
  } catch (error) {
    await db.tx((tx) => returnIntegrations(tx, taken))
    throw error
  }
}
