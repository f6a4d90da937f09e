import type { FannedOutKind, SubjectKind } from '../../../shared/domain/operations/webhook-events.ts'
import { issuance } from './issuance.ts'
import type { EventSource, FannedOutSource } from './source.ts'
import { testEvent } from './test-event.ts'

/** Where events come from and what they tell, by the kind of their subject. */
export const sources: Record<FannedOutKind, FannedOutSource> & Record<SubjectKind, EventSource> = {
  issuance,
  test: testEvent,
}

/** Undefined for one of another version, which is being rolled out or back. */
export function findEventSource(kind: SubjectKind): EventSource | undefined {
  return Object.hasOwn(sources, kind) ? sources[kind] : undefined
}
