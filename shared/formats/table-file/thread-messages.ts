import type { TableErrorCode, TableOptions } from './table.ts'

/** A message to the thread. */
export type ToThread =
  | { kind: 'start'; options: TableOptions }
  /** The answer to `more`. Absent at the end of the file. */
  | { kind: 'chunk'; bytes?: Uint8Array }
  /** Asks for the next portion. */
  | { kind: 'next' }

/** A message from the thread. */
export type FromThread =
  /** Asks for the next chunk. */
  | { kind: 'more' }
  /** A portion in JSON, which is copied and read several times faster than objects. */
  | { kind: 'portion'; json: string }
  | { kind: 'done' }
  /** A `TableError`. */
  | { kind: 'refused'; code: TableErrorCode; message: string; row?: number }
