import type { Reader } from '../../../db/client.ts'
import type { DeliveryRow } from '../../../db/repos/operations/deliveries.ts'
import type { Secrets } from '../../../shared/secrets.ts'

/** What an event tells; its shape is that of its kind (interface: webhooks). */
export type EventPayload = Record<string, unknown>

/** Where events are read. */
export interface EventReader {
  db: Reader
  /** Credentials are kept sealed. */
  secrets: Secrets
}

export interface EventSource {
  /** What a delivery tells. Undefined when its subject was erased meanwhile: then there is nothing to tell. */
  payloadOf(from: EventReader, delivery: DeliveryRow): Promise<EventPayload | undefined>
}

/** Something that events are to be about. Each is told in every kind of event that a webhook wants. */
export interface Happening {
  aboutId: string
  at: Date
}

/** A source whose subjects are told of to every webhook that wants to know. */
export interface FannedOutSource extends EventSource {
  /** What happened to these subjects of a tenant; the same on every run. */
  happenings(db: Reader, tenantId: string, subjectIds: string[]): Promise<Happening[]>
}
