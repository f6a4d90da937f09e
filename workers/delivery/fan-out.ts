import type { Writer } from '../../db/client.ts'
import { holdShared } from '../../db/hold.ts'
import { removeFromOutbox } from '../../db/outbox.ts'
import {
  countPending,
  type DeliveryRow,
  eventIdOf,
  insertDeliveries,
  newDelivery,
} from '../../db/repos/operations/webhooks/deliveries.ts'
import { findEnabledWebhooks, type WebhookRow } from '../../db/repos/operations/webhooks/webhooks.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { isFoundKind } from '../../shared/domain/operations/change-events.ts'
import { eventKinds, type FannedOutKind, isFannedOutKind } from '../../shared/domain/operations/webhook-events.ts'
import type { SubjectRef } from '../../shared/jobs/payloads.ts'
import type { Attempt, WorkerDeps } from '../jobs/handlers.ts'
import { isBroken } from './health.ts'
import { type DeliveryToQueue, queueNewDeliveries } from './queue-new-deliveries.ts'
import type { SourceEvent } from './sources/source.ts'
import { sources } from './sources/sources.ts'

/** The highest priority number. Later deliveries of a tenant with a longer backlog have the same priority. */
export const maxBacklog = 5_000

/**
 * Creates the deliveries of events: one for each enabled webhook, requested kind of event, and object of the event. Their ids are derived
 * from these, so a second run creates nothing. The outbox rows of the subjects stay until this transaction, so events do not depend on
 * Redis.
 */
export async function fanOut(
  deps: WorkerDeps,
  items: SubjectRef[],
  attempt: Pick<Attempt, 'isRepeated'>,
): Promise<void> {
  // During a rollout the outbox rows of an unknown kind wait for the version that has it.
  const subjects = items.filter(({ kind }) => isFannedOutKind(kind))
  if (subjects.length < items.length)
    deps.log.warn({ items: items.length - subjects.length }, 'events of an unknown kind wait for another version')
  const ids = subjects.map(({ subjectId }) => subjectId)
  await createDeliveries(deps, subjects, attempt, (tx) => removeFromOutbox(tx, ids))
}

/** Creates the deliveries of events and queues them. `end` runs in the transaction that stores them. */
export async function createDeliveries(
  deps: WorkerDeps,
  refs: SubjectRef[],
  attempt: Pick<Attempt, 'isRepeated'>,
  end?: (tx: Writer) => Promise<void>,
): Promise<void> {
  const { db, clock } = deps
  const at = clock.now()
  const created: { tenantId: string; rows: DeliveryRow[] }[] = []
  for (const [tenantId, ofTenant] of Map.groupBy(refs, (ref) => ref.tenantId)) {
    const rows = await newDeliveries(db, tenantId, ofTenant, at)
    if (rows.length > 0) created.push({ tenantId, rows })
  }
  const queued = await db.tx(async (tx) => {
    const stored: DeliveryToQueue[] = []
    for (const { tenantId, rows } of created) stored.push(...(await store(tx, tenantId, rows)))
    await end?.(tx)
    return stored
  })
  await queueNewDeliveries(deps, queued, attempt)
}

async function newDeliveries(
  db: WorkerDeps['db'],
  tenantId: string,
  refs: SubjectRef[],
  at: Date,
): Promise<DeliveryRow[]> {
  const webhooks = await findEnabledWebhooks(db.read, tenantId)
  if (webhooks.length === 0) return []
  const rows: DeliveryRow[] = []
  for (const [subjectKind, ofKind] of Map.groupBy(refs, ({ kind }) => kind)) {
    const subjectIds = ofKind.map(({ subjectId }) => subjectId)
    const events = await sources[subjectKind].findEvents(db.read, tenantId, subjectIds)
    const traceparents = new Map(ofKind.map(({ subjectId, traceparent }) => [subjectId, traceparent]))
    for (const event of events) {
      const traceparent = event.subjectId === null ? undefined : traceparents.get(event.subjectId)
      const traced = { ...event, traceparent: traceparent ?? null }
      rows.push(...deliveriesOf(traced, subjectKind, webhooks, at))
    }
  }
  return rows
}

function deliveriesOf(
  sourceEvent: SourceEvent & { traceparent: string | null },
  subjectKind: FannedOutKind,
  webhooks: WebhookRow[],
  at: Date,
): DeliveryRow[] {
  const { objectId, at: eventAt, traceparent, kind: onlyKind } = sourceEvent
  const possible = new Set<string>(onlyKind ? [onlyKind] : eventKinds[subjectKind])
  return webhooks.flatMap(({ id: webhookId, tenantId, events, failures, createdAt }) =>
    events
      // A job finds events later than they happen. Newer webhooks do not receive them.
      .filter((kind) => possible.has(kind) && !(isFoundKind(kind) && eventAt <= createdAt))
      .map((kind) => {
        const eventId = eventIdOf(sourceEvent, kind)
        const event = { tenantId, webhookId, eventId, kind, subjectKind, objectId, eventAt, traceparent }
        const delivery = newDelivery(event, at)
        return isBroken(failures) ? { ...delivery, queuedUntil: null } : delivery
      }),
  )
}

/**
 * Inserts deliveries and returns those to attempt at once. The priority of a delivery is the backlog of its tenant. So a delivery of a tenant
 * with a short backlog overtakes thousands of another tenant.
 */
async function store(tx: Writer, tenantId: string, created: DeliveryRow[]): Promise<DeliveryToQueue[]> {
  const generations = await holdEnabledWebhooks(tx, tenantId, created)
  const rows = created.flatMap((row) => {
    const generation = generations.get(row.webhookId)
    return generation === undefined ? [] : [{ ...row, generation }]
  })
  const backlog = await countPending(tx, tenantId, maxBacklog)
  // The deliveries of a broken webhook wait in the database.
  const queued = rows.filter(({ queuedUntil }) => queuedUntil !== null)
  await insertDeliveries(tx, rows)
  return queued.map((row, position) => ({ row, priority: Math.min(backlog + position, maxBacklog) }))
}

/** Returns the generations of the enabled webhooks. Their locks keep them enabled until the transaction ends. */
async function holdEnabledWebhooks(tx: Writer, tenantId: string, rows: DeliveryRow[]): Promise<Map<string, number>> {
  const generations = new Map<string, number>()
  for (const id of [...new Set(rows.map(({ webhookId }) => webhookId))].sort()) {
    const webhook = await holdShared(tx, webhooks, tenantId, id)
    if (webhook && !webhook.disabled) generations.set(id, webhook.generation)
  }
  return generations
}
