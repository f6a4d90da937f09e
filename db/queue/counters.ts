import type { AddToCount, CounterWindow } from '../../shared/counters.ts'
import type { Macs } from '../../shared/secrets/secrets.ts'
import type { Database } from '../client.ts'
import type { PostgresAccess } from '../engine/database.ts'
import { statementsOf } from '../engine/sqlite-statements.ts'
import { all, changeRows } from './store.ts'

/** A process removes counts whose window has ended at most this often, and this number of them. */
const endedEveryMs = 10_000
const maxEnded = 1_000

/**
 * Counts the events of all processes in the table `queue_counters`, for limits. A window begins with the first event of its key. Keys can
 * contain addresses, so the table has only their MAC.
 */
export function countInDatabase(db: Database, secrets: Macs, windowMs: number): AddToCount {
  const { add, removeEnded } = db.postgres ? onPostgres(db.postgres) : onSqlite(db)
  let removedAt = Number.NEGATIVE_INFINITY
  return async (key, events) => {
    if (performance.now() - removedAt > endedEveryMs) {
      removedAt = performance.now()
      removeEnded().catch(() => undefined) // a later event tries again
    }
    return add(secrets.mac('counter', key), events, windowMs)
  }
}

interface CounterRows {
  add(key: string, events: number, windowMs: number): Promise<CounterWindow>
  removeEnded(): Promise<void>
}

/** `now` is the time as SQL. It is the same in all parts of the statement. */
const addSql = (now: string, [key, events, windowMs]: readonly [string, string, string]) =>
  `INSERT INTO queue_counters AS counter (key, count, ends_at) VALUES (${key}, ${events}, ${now} + ${windowMs})
  ON CONFLICT (key) DO UPDATE SET
    count = excluded.count + CASE WHEN counter.ends_at > ${now} THEN counter.count ELSE 0 END,
    ends_at = CASE WHEN counter.ends_at > ${now} THEN counter.ends_at ELSE excluded.ends_at END
  RETURNING count, ends_at - ${now} AS lasts_ms`

const postgresNow = '(extract(epoch FROM statement_timestamp()) * 1000)::bigint'
const postgresAdd = { name: 'add_to_counter', text: addSql(postgresNow, ['$1', '$2::bigint', '$3::bigint']) }
const postgresRemove = {
  name: 'remove_ended_counters',
  text: `DELETE FROM queue_counters WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM queue_counters WHERE ends_at <= ${postgresNow} LIMIT ${maxEnded} FOR UPDATE SKIP LOCKED))`,
}

/** Each operation is a transaction of its own, so that a counter is not locked for the commit of another change. */
function onPostgres({ write }: PostgresAccess): CounterRows {
  return {
    async add(key, events, windowMs) {
      const [[count, lastsMs] = []] = await write(postgresAdd, [key, events, windowMs])
      return { count: Number(count), forgottenInMs: Number(lastsMs) }
    },
    removeEnded: async () => void (await write(postgresRemove, [])),
  }
}

const sqliteAdd = addSql('@now', ['@key', '@events', '@windowMs'])
const sqliteRemove = `DELETE FROM queue_counters
  WHERE key IN (SELECT key FROM queue_counters WHERE ends_at <= @now LIMIT ${maxEnded})`

function onSqlite(db: Database): CounterRows {
  const options = { mayLoseOnPowerFailure: true }
  return {
    add: (key, events, windowMs) =>
      db.txAtOnce(async (tx) => {
        const values = { key, events, windowMs, now: Date.now() }
        const [row] = all<{ count: number; lasts_ms: number }>(statementsOf(tx), sqliteAdd, values)
        return { count: row?.count ?? events, forgottenInMs: row?.lasts_ms ?? windowMs }
      }, options),
    removeEnded: () =>
      db.txAtOnce(async (tx) => void changeRows(statementsOf(tx), sqliteRemove, { now: Date.now() }), options),
  }
}
