import type { QueueName } from '../../shared/jobs/definition.ts'

/**
 * Each kind has values by id: heartbeats by process, replies by job and the channel of the process that waits, consumers of a queue and
 * listeners to direct requests by a random id, and single values.
 */
export type ValueKind =
  | 'heartbeat'
  | 'lease'
  | 'emptied'
  | `consumer:${string}`
  | `listener:${QueueName}`
  | `reply:${string}`

export interface QueueValue {
  kind: ValueKind
  id: string
  value: string
  lastsMs: number
}

/**
 * Values that the processes of a service share, in the table `queue_values`. Times are milliseconds. A value is readable until it expires. On
 * PostgreSQL, only the kind `emptied` survives a crash of the server. The others are in the table `queue_unlogged_values`.
 */
export interface QueueValues {
  /** The time of the database, with which processes of all machines can compare their clocks. */
  now(): Promise<number>
  get(kind: ValueKind, id: string): Promise<string | undefined>
  /** Returns at most 1,000 values by their ids. */
  list(kind: ValueKind): Promise<Record<string, string>>
  put(kind: ValueKind, id: string, value: string, lastsMs: number): Promise<void>
  /** Writes several values of different kinds and ids at once. None is of the kind `emptied`. Returns the time of the database. */
  putAll(values: readonly QueueValue[]): Promise<number>
  /** Writes the value if there is none, or if it is equal. Returns whether it is the value now. */
  claim(kind: ValueKind, id: string, value: string, lastsMs: number): Promise<boolean>
  remove(kind: ValueKind, ids: readonly string[]): Promise<void>
  /** Removes the value if it is equal. */
  release(kind: ValueKind, id: string, value: string): Promise<void>
  /** Removes and returns at most 500 values. */
  take(kind: ValueKind): Promise<string[]>
}
