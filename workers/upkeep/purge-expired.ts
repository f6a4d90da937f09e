import { ageOf, contentKeptForMs } from '../../db/keeping/keeping.ts'
import { purgeEvidence } from '../../db/keeping/removal.ts'
import {
  agingTables,
  findTenantIds,
  findWebhookIds,
  type OwnersPurge,
  type Purge,
  purgeAged,
  purgeDeliveriesOf,
  purgeEventsOf,
  purgeIssuances,
  wipeIssuances,
} from '../../db/keeping/retention.ts'
import { participantEvidence } from '../../db/tables/ecosystems/evidence.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { events } from '../../db/tables/operations/events.ts'
import { plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../handlers.ts'
import { inBatches } from './in-batches.ts'

/** A run ends before the next one, which goes on where it stopped. */
const runMs = 50_000
/** One kind of row does not keep the others waiting for longer. */
const turnMs = 2_000

interface Task {
  purge: Purge
  before: Date
}

/** Removes what nobody needs any more, personal data above all, until nothing is left of it: kind by kind, in turns. */
export async function purgeExpired(deps: WorkerDeps): Promise<void> {
  const until = performance.now() + runMs
  let tasks = await dueTasks(deps)
  let count = 0
  while (tasks.length > 0 && performance.now() < until) {
    const unfinished: Task[] = []
    for (const task of tasks) {
      const turnEnds = Math.min(until, performance.now() + turnMs)
      const done = await inBatches(deps, (tx, most) => task.purge(tx, task.before, most), turnEnds)
      count += done.count
      if (!done.isAll) unfinished.push(task)
    }
    tasks = unfinished
  }
  if (count > 0) deps.log.debug({ count, isAll: tasks.length === 0 }, 'purged')
}

async function dueTasks({ db, clock }: WorkerDeps): Promise<Task[]> {
  const at = clock.now()
  const before = (keptForMs: number) => plusMs(at, -keptForMs)
  const tasks = agingTables.map((aging) => ({ purge: purgeAged(aging), before: before(aging.afterMs) }))
  tasks.push({ purge: wipeIssuances, before: before(contentKeptForMs) })
  tasks.push({ purge: purgeEvidence, before: before(ageOf(participantEvidence)) })
  tasks.push({ purge: purgeIssuances, before: before(ageOf(issuances)) })
  const addIfDue = async ({ isDue, purge }: OwnersPurge, keptForMs: number) => {
    if (await isDue(db.read, before(keptForMs))) tasks.push({ purge, before: before(keptForMs) })
  }
  for (const { tenantId, id } of await findWebhookIds(db.read))
    await addIfDue(purgeDeliveriesOf(tenantId, id), ageOf(deliveries))
  for (const tenantId of await findTenantIds(db.read)) await addIfDue(purgeEventsOf(tenantId), ageOf(events))
  return tasks
}
