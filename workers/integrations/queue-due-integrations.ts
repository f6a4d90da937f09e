import { findDueIntegrations, takeDueIntegrations } from '../../db/repos/ecosystems/due-integrations.ts'
import type { WorkerDeps } from '../handlers.ts'

/** Under way, of all tenants and of each; the others wait in the database, where they are in nobody's way. */
const mostAtOnce = 40
const mostOfTenant = 2

/** Queues lists of others whose time to be fetched has come. Each is taken in its row: whoever else does this takes others. */
export async function queueDueIntegrations({ db, bus, clock }: WorkerDeps): Promise<void> {
  const at = clock.now()
  const due = await findDueIntegrations(db.read, at, { mostAtOnce, mostOfTenant })
  if (due.length === 0) return
  const taken = await db.tx((tx) => takeDueIntegrations(tx, due, at))
  await bus.sendMany(
    'syncIntegration',
    taken.map((payload) => ({
      payload,
      options: { id: `integration-${payload.integrationId}-${payload.queuedUntil}` },
    })),
  )
}
