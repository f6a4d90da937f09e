import { idBefore } from '../../../shared/ids.ts'

/** Longer than a worker takes to store a request after it has made its id. */
const maxStoreMs = 30_000

/** The requests that a stream has read. */
export interface ReadMarks {
  /** Requests with a lower id were read. */
  from: string
  /** The ids from `from` on of requests that were read. */
  read: Set<string>
}

export const noReadMarks = (): ReadMarks => ({ from: '', read: new Set() })

export function isRead({ from, read }: ReadMarks, id: string): boolean {
  return id < from || read.has(id)
}

/**
 * Marks a request as read. Two workers can store requests in another order than that of their ids, so a later id does not hide an
 * earlier one for 30 s. The marks of requests that are older are given up.
 */
export function markAsRead(marks: ReadMarks, id: string): void {
  marks.read.add(id)
  const from = idBefore(id, maxStoreMs)
  if (from <= marks.from) return
  marks.from = from
  for (const each of marks.read) if (each < from) marks.read.delete(each)
}

/** Returns marks of the requests that all of several streams have read. */
export function readByAll(streams: readonly ReadMarks[]): { from: string; read: string[] } {
  const [from = ''] = streams.map((each) => each.from).sort()
  const ids = new Set(streams.flatMap(({ read }) => [...read]))
  return { from, read: [...ids].filter((id) => streams.every((each) => isRead(each, id))) }
}
