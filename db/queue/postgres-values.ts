import type { PostgresAccess } from '../engine/database.ts'
import { encodeArray } from '../engine/postgres-query.ts'
import type { QueueValues, ValueKind } from './values.ts'

const maxListed = 1_000
const maxTaken = 500
/** A process removes expired values at most this often, and this number of them. */
const expiredEveryMs = 10_000
const maxExpired = 1_000

/** The clock of the server, so that the clocks of processes do not matter. */
export const serverTimeMs = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** The statements of each table. */
const statements = {
  queue_values: statementsOf('queue_values'),
  queue_unlogged_values: statementsOf('queue_unlogged_values'),
}

const tableOf = (kind: ValueKind) => (kind === 'emptied' ? 'queue_values' : 'queue_unlogged_values')

function statementsOf(table: string) {
  const statement = (name: string, text: string) => ({ name: `${name}_${table}`, text })
  const replace = 'ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at'
  const put = `INSERT INTO ${table} (kind, id, value, expires_at) VALUES ($1, $2, $3, ${serverTimeMs} + $4::bigint) ${replace}`
  // An array is read once. PostgreSQL can read a subquery with a limit again for each row.
  const removeSome = (condition: string, max: number) =>
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${max} FOR UPDATE SKIP LOCKED))`
  return {
    get: statement('get', `SELECT value FROM ${table} WHERE kind = $1 AND id = $2 AND expires_at > ${serverTimeMs}`),
    list: statement(
      'list',
      `SELECT id, value FROM ${table} WHERE kind = $1 AND expires_at > ${serverTimeMs} LIMIT ${maxListed}`,
    ),
    put: statement('put', put),
    putAll: statement(
      'put_all',
      `INSERT INTO ${table} (kind, id, value, expires_at)
        SELECT kind, id, value, ${serverTimeMs} + lasts_ms
          FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS each (kind, id, value, lasts_ms)
        ${replace} RETURNING ${serverTimeMs}`,
    ),
    claim: statement(
      'claim',
      `${put} WHERE ${table}.value = excluded.value OR ${table}.expires_at <= ${serverTimeMs} RETURNING 1`,
    ),
    remove: statement('remove', `DELETE FROM ${table} WHERE kind = $1 AND id = ANY ($2::text[])`),
    release: statement('release', `DELETE FROM ${table} WHERE kind = $1 AND id = $2 AND value = $3`),
    take: statement('take', `${removeSome('kind = $1', maxTaken)} RETURNING value`),
    expired: statement('expired', `${removeSome(`expires_at <= ${serverTimeMs}`, maxExpired)} RETURNING 1`),
  }
}

const readNow = { name: 'now_of_queues', text: `SELECT ${serverTimeMs}` }

/** Each operation is one statement. */
export function openPostgresValues({ read, write }: PostgresAccess): QueueValues {
  const of = (kind: ValueKind) => statements[tableOf(kind)]
  let removedAt = Number.NEGATIVE_INFINITY

  /** Removes expired values in the background, so that the table does not grow. */
  function removeExpired(): void {
    if (performance.now() - removedAt < expiredEveryMs) return
    removedAt = performance.now()
    write(statements.queue_unlogged_values.expired, []).then(
      (rows) => {
        if (rows.length === maxExpired) removedAt = Number.NEGATIVE_INFINITY
      },
      () => undefined, // a later write tries again
    )
  }

  return {
    now: async () => Number((await read(readNow, []))[0]?.[0]),
    get: async (kind, id) => (await read(of(kind).get, [kind, id]))[0]?.[0] ?? undefined,
    list: async (kind) => Object.fromEntries(await read(of(kind).list, [kind])),
    async put(kind, id, value, lastsMs) {
      removeExpired()
      await write(of(kind).put, [kind, id, value, lastsMs])
    },
    async putAll(values) {
      removeExpired()
      const columns = [
        values.map(({ kind }) => kind),
        values.map(({ id }) => id),
        values.map(({ value }) => value),
        values.map(({ lastsMs }) => String(lastsMs)),
      ]
      const rows = await write(statements.queue_unlogged_values.putAll, columns.map(encodeArray))
      return Number(rows[0]?.[0])
    },
    async claim(kind, id, value, lastsMs) {
      removeExpired()
      return (await write(of(kind).claim, [kind, id, value, lastsMs])).length === 1
    },
    remove: async (kind, ids) => void (await write(of(kind).remove, [kind, encodeArray([...ids])])),
    release: async (kind, id, value) => void (await write(of(kind).release, [kind, id, value])),
    take: async (kind) => (await write(of(kind).take, [kind])).map(([value]) => value ?? ''),
  }
}
