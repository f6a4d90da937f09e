import type { FannedOutKind, SubjectKind } from '../../../shared/domain/operations/webhook-events.ts'
import { bulk } from './bulk.ts'
import { change } from './change.ts'
import { checkpoint } from './checkpoint.ts'
import { issuance } from './issuance.ts'
import type { EventSource, FannedOutSource } from './source.ts'
import { testEvent } from './test-event.ts'

/** The event sources, by the kind of their subject. */
export const sources: Record<FannedOutKind, FannedOutSource> & Record<SubjectKind, EventSource> = {
  issuance,
  checkpoint,
  bulk,
  change,
  test: testEvent,
}

/** Returns undefined for a kind that only another version has, as during a rollout. */
export function findEventSource(kind: SubjectKind): EventSource | undefined {
  return Object.hasOwn(sources, kind) ? sources[kind] : undefined
}
