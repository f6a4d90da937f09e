import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'

/** Collects the events of operations. It never delays an operation and never makes it fail. */
export interface Analytics {
  emit(event: AnalyticsEvent): void
  /**
   * Emits the events of an anonymous request, the end last. Aggregates them under high load. Returns the event group of the request,
   * unless it has no events.
   */
  emitAnonymous(events: AnalyticsEvent[]): string | undefined
  /** Counts one more request of an event group without an event. Returns false if it needs an event (`AnonymousEventAggregator.count`). */
  countAnonymous(eventGroup: string, requestId: string, at: Date): boolean
  /** Sends the remaining events. */
  close(): Promise<void>
}
