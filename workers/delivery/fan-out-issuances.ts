import type { Writer } from '../../db/client.ts'
import { addToOutbox } from '../../db/outbox.ts'
import { countPending, type DeliveryRow, deliveryJob, findIssued, insertDeliveries } from '../../db/repos/deliveries.ts'
import { findEnabledWebhooks } from '../../db/repos/webhooks.ts'
import { derivedId, newId } from '../../shared/ids.ts'
import type { IssuanceRef } from '../../shared/jobs/registry.ts'
import type { WorkerDeps } from '../handlers.ts'

/** Rows per statement: both databases limit the bound values of one. */
const chunkSize = 500
/** From here on all deliveries of a tenant have the same urgency. */
const longestBacklog = 5_000

/**
 * Makes the deliveries of what was issued: one for each enabled webhook, kind of event that it wants, and credential.
 * The event's id follows from the credential, so that a second run makes nothing new.
 */
export async function fanOutIssuances({ db, bus, clock }: WorkerDeps, items: IssuanceRef[]): Promise<void> {
  const at = clock.now()
  const ofTenants = [...Map.groupBy(items, ({ tenantId }) => tenantId)]
  const rows = await Promise.all(
    ofTenants.map(([tenantId, refs]) =>
      newDeliveries(
        { db, at },
        tenantId,
        refs.map(({ issuanceId }) => issuanceId),
      ),
    ),
  )
  const wanted = rows.filter(({ length }) => length > 0)
  if (wanted.length === 0) return
  await db.tx(async (tx) => {
    for (const ofTenant of wanted) await store(tx, ofTenant, at)
  })
  bus.poke()
}

async function newDeliveries(
  { db, at }: Pick<WorkerDeps, 'db'> & { at: Date },
  tenantId: string,
  issuanceIds: string[],
): Promise<DeliveryRow[]> {
  const webhooks = await findEnabledWebhooks(db.read, tenantId)
  if (webhooks.length === 0) return []
  const issued = await findIssued(db.read, tenantId, issuanceIds)
  const wanted = webhooks.flatMap(({ id: webhookId, events }) => events.map((kind) => ({ webhookId, kind })))
  return issued.flatMap(({ credentialId, issuedAt }) =>
    wanted.map(({ webhookId, kind }) => ({
      id: newId(),
      tenantId,
      webhookId,
      eventId: derivedId(credentialId, kind),
      kind,
      credentialId,
      eventAt: issuedAt,
      state: 'pending',
      attempts: [],
      attemptsMade: 0,
      nextAttemptAt: at,
      createdAt: at,
    })),
  )
}

/** A delivery is as urgent as its tenant's backlog is short: one of a quiet tenant overtakes another's thousands. */
async function store(tx: Writer, rows: DeliveryRow[], at: Date): Promise<void> {
  const tenantId = rows[0]?.tenantId ?? ''
  let position = await countPending(tx, tenantId, longestBacklog)
  for (let start = 0; start < rows.length; start += chunkSize) {
    const chunk = rows.slice(start, start + chunkSize)
    const inserted = await insertDeliveries(tx, chunk)
    const entries = chunk
      .filter(({ id }) => inserted.has(id))
      .map((row) => deliveryJob(row, Math.min(position++, longestBacklog)))
    await addToOutbox(tx, 'deliverWebhook', entries, at)
  }
}
