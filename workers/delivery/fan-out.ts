import type { Writer } from '../../db/client.ts'
import { holdShared } from '../../db/hold.ts'
import { endInOutbox } from '../../db/outbox.ts'
import {
  countPending,
  type DeliveryRow,
  eventIdOf,
  insertDeliveries,
  newDelivery,
} from '../../db/repos/operations/deliveries.ts'
import { addIssued } from '../../db/repos/operations/issued-days.ts'
import { findEnabledWebhooks, type WebhookRow } from '../../db/repos/operations/webhooks.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { eventKinds, type FannedOutKind, isFannedOutKind } from '../../shared/domain/operations/webhook-events.ts'
import type { SubjectRef } from '../../shared/jobs/payloads.ts'
import type { Attempt, WorkerDeps } from '../handlers.ts'
import { isBroken } from './health.ts'
import { type DeliveryToQueue, queueNewDeliveries } from './queue-new-deliveries.ts'
import type { Happening } from './sources/source.ts'
import { sources } from './sources/sources.ts'

/** From here on all deliveries of a tenant have the same urgency. */
export const longestBacklog = 5_000

/**
 * Makes the deliveries of what happened: one for each enabled webhook, kind of event that it wants, and thing that the event
 * is about. Their ids and the event's follow from these, so that a second run makes nothing new. The outbox rows of the
 * subjects, which have their ids, were kept until now: events do not depend on Redis.
 */
export async function fanOut(
  deps: WorkerDeps,
  items: SubjectRef[],
  attempt: Pick<Attempt, 'isRepeated'>,
): Promise<void> {
  const { db, clock, log } = deps
  const at = clock.now()
  // While versions are rolled out or back: their rows of the outbox stay for the one that knows them.
  const known = items.filter(({ kind }) => isFannedOutKind(kind))
  if (known.length < items.length) log.warn({ items: items.length - known.length }, 'events of unknown kinds wait')
  const made: { tenantId: string; rows: DeliveryRow[] }[] = []
  for (const [tenantId, refs] of Map.groupBy(known, (item) => item.tenantId)) {
    const rows = await newDeliveries(db, tenantId, refs, at)
    if (rows.length > 0) made.push({ tenantId, rows })
  }
  const queued = await db.tx(async (tx) => {
    const stored: DeliveryToQueue[] = []
    for (const { tenantId, rows } of made) stored.push(...(await store(tx, tenantId, rows)))
    await endAll(tx, known)
    return stored
  })
  await queueNewDeliveries(deps, queued, attempt)
}

/** What is done here is done once for each row of the outbox, whoever else runs the job: issuances are counted with it. */
async function endAll(tx: Writer, known: SubjectRef[]): Promise<void> {
  const byId = new Map(known.map((ref) => [ref.subjectId, ref]))
  const ended = await endInOutbox(tx, [...byId.keys()])
  const issued = ended.flatMap(({ id, createdAt: at }) => {
    const ref = byId.get(id)
    return ref?.kind === 'issuance' ? [{ tenantId: ref.tenantId, at }] : []
  })
  await addIssued(tx, issued)
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
    const happenings = await sources[subjectKind].happenings(db.read, tenantId, subjectIds)
    rows.push(...happenings.flatMap((each) => deliveriesOf(each, subjectKind, webhooks, at)))
  }
  return rows
}

function deliveriesOf(
  happening: Happening,
  subjectKind: FannedOutKind,
  webhooks: WebhookRow[],
  at: Date,
): DeliveryRow[] {
  const { aboutId, at: eventAt } = happening
  const possible = new Set<string>(eventKinds[subjectKind])
  return webhooks.flatMap(({ id: webhookId, tenantId, events, failures }) =>
    events
      .filter((kind) => possible.has(kind))
      .map((kind) => {
        const eventId = eventIdOf(happening, kind)
        const event = { tenantId, webhookId, eventId, kind, subjectKind, aboutId, eventAt }
        const delivery = newDelivery(event, at)
        return isBroken(failures) ? { ...delivery, queuedUntil: null } : delivery
      }),
  )
}

/** Returns those that are to be attempted at once, each as urgent as its tenant's backlog is short: one of a quiet tenant overtakes another's thousands. */
async function store(tx: Writer, tenantId: string, made: DeliveryRow[]): Promise<DeliveryToQueue[]> {
  const wanted = await stillWanted(tx, tenantId, made)
  const rows = made.flatMap((row) => {
    const generation = wanted.get(row.webhookId)
    return generation === undefined ? [] : [{ ...row, generation }]
  })
  const backlog = await countPending(tx, tenantId, longestBacklog)
  // Those of a broken webhook wait for their turn in the database.
  const queued = rows.filter(({ queuedUntil }) => queuedUntil !== null)
  await insertDeliveries(tx, rows)
  return queued.map((row, position) => ({ row, priority: Math.min(backlog + position, longestBacklog) }))
}

/** The generations of the webhooks that are still there and enabled. They stay so until the transaction ends. */
async function stillWanted(tx: Writer, tenantId: string, rows: DeliveryRow[]): Promise<Map<string, number>> {
  const wanted = new Map<string, number>()
  for (const id of [...new Set(rows.map(({ webhookId }) => webhookId))].sort()) {
    const webhook = await holdShared(tx, webhooks, tenantId, id)
    if (webhook && !webhook.disabled) wanted.set(id, webhook.generation)
  }
  return wanted
}
