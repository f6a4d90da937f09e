import { newOrderedId } from '../../ids.ts'

/** An analytics event of an operation (decisions: analytics). */
export interface AnalyticsEvent {
  id: string
  tenantId: string
  type: string
  category: string
  /** ISO 8601 */
  timestamp: string
  requestId: string
  /** The id of a management client. */
  clientId?: string | undefined
  /** The client id that a wallet claims. It can be any text. */
  walletClientId?: string | undefined
  managementUserId?: string | undefined
  /** The credential offer of the event. */
  offerId?: string | undefined
  /** The object that a management request changed. */
  objectId?: string | undefined
  data: Record<string, unknown>
  /** The START event of the same request. */
  start?: EventStart | undefined
}

/** A START event that is stored in the row of its SUCCESS or FAIL. */
export interface EventStart {
  /** ISO 8601 */
  timestamp: string
  data: Record<string, unknown>
}

/**
 * The maximum time between a START event and its end in one row, in milliseconds. A search for the START events before a date
 * reads the rows of this time after the date.
 */
export const maxJoinedMs = 10_000

/** Returns the end of an operation together with its START, or both as events if the operation took too long for one row. */
export function joinStart(end: AnalyticsEvent, start: EventStart): AnalyticsEvent[] {
  const startedAt = new Date(start.timestamp)
  if (Date.parse(end.timestamp) - startedAt.getTime() <= maxJoinedMs) return [{ ...end, start }]
  const type = `${end.type.slice(0, end.type.lastIndexOf('_'))}_START`
  return [{ ...end, ...start, id: newOrderedId(startedAt), type, offerId: undefined, objectId: undefined }, end]
}

/** `requests`: without START events. `changes`: also without successful reads. */
export const shownEvents = ['all', 'requests', 'changes'] as const
export type ShownEvents = (typeof shownEvents)[number]

/** Words in the event types of operations that only read. */
export const readOperations = [
  '_RETRIEVE',
  '_DOWNLOAD',
  '_SEARCH',
  '_STATUS_LIST_DISTRIBUTION',
  '_LISTENER_STREAM',
  '_EXPORT',
]
