import type { Cursor } from '../../../page.ts'
import type { events } from '../../../tables/operations/events.ts'

type EventRow = typeof events.$inferSelect

/** An event of a row, with its position in the list. */
export interface ListedEvent extends Omit<EventRow, 'startedAt' | 'startData'> {
  position: Cursor
  /** The time that the request took, at its end. */
  durationMs?: number
}

/**
 * Returns the events of a row, the newest first: the end of a request, then its START if the row has one. The position
 * of the last event is the position of the row. The text of an earlier position is greater.
 */
export function splitRow({ startedAt, startData, ...event }: EventRow): ListedEvent[] {
  const { id, type, timestamp: at } = event
  const position = { at, id }
  if (!startedAt) return [{ ...event, position }]
  const start = {
    ...event,
    id: otherIdOf(id),
    type: `${operationOf(type)}_START`,
    timestamp: startedAt,
    data: startData ?? {},
  }
  return [
    { ...event, durationMs: at.getTime() - startedAt.getTime(), position: { at, id: `${id}.2` } },
    { ...start, position },
  ]
}

/** Returns the ids of the rows that can have these events. */
export function rowIdsOf(eventIds: string[]): string[] {
  return eventIds.flatMap((id) => [id, otherIdOf(id)])
}

/** Returns the types of the rows that can have events of these types. Rows of older versions are one event. */
export function rowTypesOf(eventTypes: string[]): string[] {
  return eventTypes.flatMap((type) => {
    if (!type.endsWith('_START')) return [type]
    return [type, `${operationOf(type)}_SUCCESS`, `${operationOf(type)}_FAIL`]
  })
}

/** `USER_CREATE` of `USER_CREATE_SUCCESS`. */
function operationOf(type: string): string {
  return type.slice(0, type.lastIndexOf('_'))
}

/**
 * Returns the id of the START event of a row with this id, and the id of the row for that event. They differ in one bit
 * of the random part of the UUID.
 */
function otherIdOf(id: string): string {
  const last = Number.parseInt(id.slice(-1), 16)
  return id.slice(0, -1) + (last ^ 1).toString(16)
}
