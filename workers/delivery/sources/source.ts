import type { Reader } from '../../../db/client.ts'
import type { ReadPayload } from '../../../db/event-payloads.ts'
import type { WebhookEventKind } from '../../../shared/domain/operations/webhook-events.ts'

export interface EventSource {
  payloadOf: ReadPayload
}

/** The object and time of events. A webhook gets one event for each kind that it requests. */
export interface SourceEvent {
  /** The id in the outbox row. Null for a credential that was not issued by OpenID4VCI. */
  subjectId: string | null
  objectId: string
  at: Date
  /** The only kind of the event. If absent, there is one event of each kind of the source. */
  kind?: WebhookEventKind
}

/** A source whose events go to every webhook that requests their kind. */
export interface FannedOutSource extends EventSource {
  /** Finds the events of subjects of a tenant. Returns the same events in each run. */
  findEvents(db: Reader, tenantId: string, subjectIds: string[]): Promise<SourceEvent[]>
}
