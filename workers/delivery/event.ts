import { type DeliveryRow, subjectKindOf } from '../../db/repos/operations/deliveries.ts'
import type { WebhookEventKind } from '../../shared/domain/operations/webhook-events.ts'
import { Later } from './later.ts'
import type { EventPayload, EventReader } from './sources/source.ts'
import { findEventSource } from './sources/sources.ts'

export interface WebhookEvent {
  id: string
  type: WebhookEventKind
  timestamp: string
  payload: EventPayload
}

/** After which another version may have taken a delivery that this one does not know. */
const unknownPauseMs = 5_000

/** What a webhook is told. Undefined when there is nothing to tell any more; throws `Later` when only another version knows. */
export async function findEvent(from: EventReader, delivery: DeliveryRow): Promise<WebhookEvent | undefined> {
  const source = findEventSource(subjectKindOf(delivery))
  if (!source) throw new Later(unknownPauseMs)
  const payload = await source.payloadOf(from, delivery)
  const { eventId: id, kind: type, eventAt } = delivery
  return payload && { id, type, timestamp: eventAt.toISOString(), payload }
}
