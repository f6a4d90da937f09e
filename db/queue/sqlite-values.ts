import type { Database } from '../client.ts'
import { statementsOf } from '../engine/sqlite-statements.ts'
import { all, changeRows, first, type Statements } from './store.ts'
import type { QueueValues, ValueKind } from './values.ts'

const maxListed = 1_000
const maxTaken = 500
/** A write removes at most this number of expired values, so that the table does not grow. */
const maxExpired = 20

const write =
  'INSERT INTO queue_values (kind, id, value, expires_at) VALUES (@kind, @id, @value, @expiresAt) ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at'

export function openSqliteValues(db: Database): QueueValues {
  const change = <Result>(work: (statements: Statements, now: number) => Result) =>
    db.txAtOnce(async (tx) => work(statementsOf(tx), Date.now()), { mayLoseOnPowerFailure: true })
  const put = (statements: Statements, sql: string, values: Row, now: number) => {
    removeExpired(statements, values.kind, now)
    return changeRows(statements, sql, { ...values }) === 1
  }
  return {
    now: async () => Date.now(),
    get: async (kind, id) =>
      first<{ value: string }>(
        statementsOf(db.read),
        'SELECT value FROM queue_values WHERE kind = @kind AND id = @id AND expires_at > @now',
        { kind, id, now: Date.now() },
      )?.value,
    async list(kind) {
      const rows = all<{ id: string; value: string }>(
        statementsOf(db.read),
        `SELECT id, value FROM queue_values WHERE kind = @kind AND expires_at > @now LIMIT ${maxListed}`,
        { kind, now: Date.now() },
      )
      return Object.fromEntries(rows.map(({ id, value }) => [id, value]))
    },
    put: (kind, id, value, lastsMs) =>
      change((statements, now) => void put(statements, write, { kind, id, value, expiresAt: now + lastsMs }, now)),
    putAll: (values) =>
      change((statements, now) => {
        for (const { kind, id, value, lastsMs } of values)
          put(statements, write, { kind, id, value, expiresAt: now + lastsMs }, now)
        return now
      }),
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
    async take(kind) {
      // A read takes no write lock. Callers look often.
      if (!first(statementsOf(db.read), 'SELECT 1 FROM queue_values WHERE kind = @kind LIMIT 1', { kind })) return []
      return change((statements) => all<{ value: string }>(statements, takeSql, { kind }).map(({ value }) => value))
    },
  }
}

const takeSql = `DELETE FROM queue_values
  WHERE kind = @kind AND id IN (SELECT id FROM queue_values WHERE kind = @kind LIMIT ${maxTaken}) RETURNING value`

interface Row {
  kind: ValueKind
  id: string
  value: string
  expiresAt: number
}

/** Replies to a process that has ended have a kind that no process writes again. Each reply therefore removes expired replies of all kinds. */
function removeExpired(statements: Statements, kind: ValueKind, now: number): void {
  const [from, to] = kind.startsWith('reply:') ? ['reply:', 'reply;'] : [kind, `${kind} `]
  changeRows(
    statements,
    `DELETE FROM queue_values WHERE (kind, id) IN (SELECT kind, id FROM queue_values WHERE kind >= @from AND kind < @to AND expires_at <= @now LIMIT ${maxExpired})`,
    { from: from ?? '', to: to ?? '', now },
  )
}
