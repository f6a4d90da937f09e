import type { Database } from '../client.ts'
import { statementsOf } from '../engine/sqlite-statements.ts'
import { all, changeRows, first, type Statements } from './store.ts'

/** Each kind has values by id: heartbeats by process, replies by job and the channel of the process that waits, and single values. */
type Kind = 'heartbeat' | 'lease' | 'emptied' | `reply:${string}`

/** Values that the processes of a machine share, in the table `queue_values`. Times are milliseconds. A value is readable until it expires. */
export interface QueueValues {
  get(kind: Kind, id: string): string | undefined
  list(kind: Kind): Record<string, string>
  put(kind: Kind, id: string, value: string, lastsMs: number): Promise<void>
  /** Writes the value if there is none, or if it is equal. Returns whether it is the value now. */
  claim(kind: Kind, id: string, value: string, lastsMs: number): Promise<boolean>
  remove(kind: Kind, ids: readonly string[]): Promise<void>
  /** Removes the value if it is equal. */
  release(kind: Kind, id: string, value: string): Promise<void>
  /** Removes and returns at most 500 values. */
  take(kind: Kind): Promise<string[]>
}

const maxTaken = 500
/** A write removes at most this number of expired values, so that the table does not grow. */
const maxExpired = 20

const write =
  'INSERT INTO queue_values (kind, id, value, expires_at) VALUES (@kind, @id, @value, @expiresAt) ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at'

export function openQueueValues(db: Database): QueueValues {
  const change = <Result>(work: (statements: Statements, now: number) => Result) =>
    db.txAtOnce(async (tx) => work(statementsOf(tx), Date.now()), { mayLoseOnPowerFailure: true })
  const put = (statements: Statements, sql: string, values: Row, now: number) => {
    removeExpired(statements, values.kind, now)
    return changeRows(statements, sql, { ...values }) === 1
  }
  return {
    get: (kind, id) =>
      first<{ value: string }>(
        statementsOf(db.read),
        'SELECT value FROM queue_values WHERE kind = @kind AND id = @id AND expires_at > @now',
        { kind, id, now: Date.now() },
      )?.value,
    list(kind) {
      const rows = all<{ id: string; value: string }>(
        statementsOf(db.read),
        'SELECT id, value FROM queue_values WHERE kind = @kind AND expires_at > @now',
        { kind, now: Date.now() },
      )
      return Object.fromEntries(rows.map(({ id, value }) => [id, value]))
    },
    put: (kind, id, value, lastsMs) =>
      change((statements, now) => void put(statements, write, { kind, id, value, expiresAt: now + lastsMs }, now)),
    claim: (kind, id, value, lastsMs) =>
      change((statements, now) =>
        put(
          statements,
          `${write} WHERE queue_values.value = excluded.value`,
          { kind, id, value, expiresAt: now + lastsMs },
          now,
        ),
      ),
    remove: (kind, ids) =>
      change((statements) => {
        for (const id of ids)
          changeRows(statements, 'DELETE FROM queue_values WHERE kind = @kind AND id = @id', { kind, id })
      }),
    release: (kind, id, value) =>
      change(
        (statements) =>
          void changeRows(statements, 'DELETE FROM queue_values WHERE kind = @kind AND id = @id AND value = @value', {
            ...{ kind, id, value },
          }),
      ),
    take: (kind) =>
      change((statements) =>
        all<{ value: string }>(
          statements,
          `DELETE FROM queue_values WHERE kind = @kind AND id IN (SELECT id FROM queue_values WHERE kind = @kind LIMIT ${maxTaken}) RETURNING value`,
          { kind },
        ).map(({ value }) => value),
      ),
  }
}

interface Row {
  kind: Kind
  id: string
  value: string
  expiresAt: number
}

/** Replies to a process that has ended have a kind that no process writes again. Each reply therefore removes expired replies of all kinds. */
function removeExpired(statements: Statements, kind: Kind, now: number): void {
  const [from, to] = kind.startsWith('reply:') ? ['reply:', 'reply;'] : [kind, `${kind} `]
  changeRows(
    statements,
    `DELETE FROM queue_values WHERE (kind, id) IN (SELECT kind, id FROM queue_values WHERE kind >= @from AND kind < @to AND expires_at <= @now LIMIT ${maxExpired})`,
    { from: from ?? '', to: to ?? '', now },
  )
}
