import type { Writer } from '../../db/client.ts'
import { holdShared } from '../../db/hold.ts'
import { addToOutbox, removeFromOutbox } from '../../db/outbox.ts'
import {
  countPending,
  type DeliveryRow,
  deliveryJob,
  findIssued,
  insertDeliveries,
  newDelivery,
} from '../../db/repos/operations/deliveries.ts'
import { findEnabledWebhooks } from '../../db/repos/operations/webhooks.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { derivedOrderedId } from '../../shared/ids.ts'
import type { IssuanceRef } from '../../shared/jobs/registry.ts'
import type { WorkerDeps } from '../handlers.ts'
import { isBroken } from './health.ts'

/** From here on all deliveries of a tenant have the same urgency. */
export const longestBacklog = 5_000

/**
 * Makes the deliveries of what was issued: one for each enabled webhook, kind of event that it wants, and credential.
 * Their ids and the event's follow from these, so that a second run makes nothing new. The outbox rows of the issuances,
 * which have their ids, were kept until now: events do not depend on Redis.
 */
export async function fanOutIssuances({ db, bus, clock }: WorkerDeps, items: IssuanceRef[]): Promise<void> {
  const at = clock.now()
  const made: { tenantId: string; rows: DeliveryRow[] }[] = []
  for (const [tenantId, refs] of Map.groupBy(items, (item) => item.tenantId)) {
    const issuanceIds = refs.map(({ issuanceId }) => issuanceId)
    const rows = await newDeliveries(db, tenantId, issuanceIds, at)
    if (rows.length > 0) made.push({ tenantId, rows })
  }
  await db.tx(async (tx) => {
    for (const { tenantId, rows } of made) await store(tx, tenantId, rows, at)
    await removeFromOutbox(
      tx,
      items.map(({ issuanceId }) => issuanceId),
    )
  })
  if (made.length > 0) bus.poke()
}

async function newDeliveries(
  db: WorkerDeps['db'],
  tenantId: string,
  issuanceIds: string[],
  at: Date,
): Promise<DeliveryRow[]> {
  const webhooks = await findEnabledWebhooks(db.read, tenantId)
  if (webhooks.length === 0) return []
  const issued = await findIssued(db.read, tenantId, issuanceIds)
  const wanted = webhooks.flatMap(({ id: webhookId, events }) => events.map((kind) => ({ webhookId, kind })))
  const broken = new Set(webhooks.filter(({ failures }) => isBroken(failures)).map(({ id }) => id))
  return issued.flatMap(({ credentialId, issuedAt: eventAt }) =>
    wanted.map(({ webhookId, kind }) => {
      const eventId = derivedOrderedId(eventAt, credentialId, kind)
      const delivery = newDelivery({ tenantId, webhookId, eventId, kind, credentialId, eventAt }, at)
      return broken.has(webhookId) ? { ...delivery, queuedUntil: null } : delivery
    }),
  )
}

/** A delivery is as urgent as its tenant's backlog is short: one of a quiet tenant overtakes another's thousands. */
async function store(tx: Writer, tenantId: string, made: DeliveryRow[], at: Date): Promise<void> {
  const wanted = await stillWanted(tx, tenantId, made)
  const rows = made.filter(({ webhookId }) => wanted.has(webhookId))
  const backlog = await countPending(tx, tenantId, longestBacklog)
  // Those of a broken webhook wait for their turn in the database.
  const queued = rows.filter(({ queuedUntil }) => queuedUntil !== null)
  const entries = queued.map((row, position) =>
    deliveryJob(row, { priority: Math.min(backlog + position, longestBacklog) }),
  )
  await insertDeliveries(tx, rows)
  await addToOutbox(tx, 'deliverWebhooks', entries, at)
}

/** The webhooks that are still there and enabled; they stay so until the transaction ends. */
async function stillWanted(tx: Writer, tenantId: string, rows: DeliveryRow[]): Promise<Set<string>> {
  const wanted = new Set<string>()
  for (const id of [...new Set(rows.map(({ webhookId }) => webhookId))].sort()) {
    const webhook = await holdShared(tx, webhooks, tenantId, id)
    if (webhook && !webhook.disabled) wanted.add(id)
  }
  return wanted
}
