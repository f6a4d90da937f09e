import type { EventReader } from '../../db/event-payloads.ts'
import { type DeliveryRow, subjectKindOf } from '../../db/repos/operations/webhooks/deliveries.ts'
import type { SentWebhookEvent } from '../../shared/domain/operations/webhook-requests.ts'
import { AttemptPostponed } from './attempt-postponed.ts'
import { findEventSource } from './sources/sources.ts'

/** The pause after which a worker of another version may have taken the delivery. */
const unknownPauseMs = 5_000

/**
 * Returns the event of a delivery, or undefined if its subject was erased. Throws `AttemptPostponed` if only another version knows the kind
 * of the subject.
 */
export async function findEvent(from: EventReader, delivery: DeliveryRow): Promise<SentWebhookEvent | undefined> {
  const source = findEventSource(subjectKindOf(delivery))
  if (!source) throw new AttemptPostponed(unknownPauseMs)
  const payload = await source.payloadOf(from, delivery)
  const { eventId: id, kind: type, eventAt } = delivery
  return payload && { id, type, timestamp: eventAt.toISOString(), payload }
}
