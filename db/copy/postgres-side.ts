import { addressOf, innermostMessage, Misconfigured } from '../../shared/process/dependency.ts'
import { connectToPrimary } from '../engine/postgres-hosts.ts'
import { unfinishedCopyTable } from '../engine/unfinished-copy.ts'
import type { ColumnKind, CopiedTable } from './copied-tables.ts'
import { type CopiedRow, columnList, quoted, type Side, type SideAccess, type Statement, type Syntax } from './side.ts'

/** The types of parameters. */
const types: Record<ColumnKind, string> = {
  ...{ text: 'text', json: 'text', integer: 'integer', boolean: 'integer', bytes: 'bytea' },
  // A number of JavaScript, in milliseconds.
  timestamp: 'float8',
}

const syntax: Syntax = {
  read({ name, kind }) {
    const column = quoted(name)
    if (kind === 'json') return `${column}::text`
    if (kind === 'boolean') return `${column}::integer`
    if (kind === 'timestamp') return `(extract(epoch FROM ${column}) * 1000)::float8`
    return column
  },
  parameter: (kind, position) => stored(kind, `$${position}::${types[kind]}`),
  size: ({ name, kind }) => `octet_length(${quoted(name)}${kind === 'json' ? '::text' : ''})`,
}

/** Converts a parameter to the type of a column. */
function stored(kind: ColumnKind, parameter: string): string {
  if (kind === 'json') return `${parameter}::json`
  if (kind === 'boolean') return `${parameter}::boolean`
  if (kind === 'timestamp') return `timestamptz 'epoch' + ${parameter} * interval '1 millisecond'`
  return parameter
}

/** A portion takes seconds at most. Statistics of large tables, and the digests of a slow machine, have no limit. */
const session = [
  'SET statement_timeout = 0',
  'SET idle_in_transaction_session_timeout = 0',
  "SET lock_timeout = '5s'",
  // Portions are read by the primary key, also before the tables have statistics.
  'SET enable_seqscan = off',
  'SET enable_sort = off',
  'SET jit = off',
  // A portion that a power failure loses is copied again. `commitDurably` waits for the disk.
  'SET synchronous_commit = off',
]

/** Connects to the primary of a `postgres:` URL. With exclusive access, throws Misconfigured if its user has other connections. */
export async function openPostgresSide(url: string, access: SideAccess = 'exclusive'): Promise<Side> {
  const address = addressOf(url)
  const client = await connectToPrimary(url).catch((error) => {
    throw new Misconfigured(`PostgreSQL at ${address} accepts no connection: ${innermostMessage(error)}`, {
      cause: error,
    })
  })
  await client.query(session.join('; '))
  const query: Side['query'] = async (text, parameters = []) =>
    // Boundary: the columns of the statements of db/copy have these types.
    (await client.query<CopiedRow>({ text, values: [...parameters], rowMode: 'array' })).rows
  const others = access === 'exclusive' ? await query(otherSessions) : []
  if (others.length > 0) {
    await client.end()
    throw new Misconfigured(inUse(address, others))
  }
  if (access === 'snapshot') await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')

  async function transaction(statements: readonly Statement[]): Promise<void> {
    await query('BEGIN')
    try {
      for (const { text, parameters } of statements) await query(text, parameters)
      await query('COMMIT')
    } catch (error) {
      await query('ROLLBACK').catch(() => undefined)
      throw error
    }
  }

  const findTable = async (name: string) => (await query('SELECT to_regclass($1)::text', [name]))[0]?.[0] ?? undefined
  return {
    dialect: 'postgres',
    address,
    syntax,
    query,
    async lock(tables) {
      // The transaction ends with the connection.
      await query('BEGIN')
      await query(`LOCK TABLE ${tables.map(({ name }) => quoted(name)).join(', ')} IN SHARE MODE`)
    },
    async findMigrationTimes() {
      if (!(await findTable('drizzle.__drizzle_migrations'))) return []
      return (await query('SELECT created_at::float8 FROM drizzle.__drizzle_migrations')).map(([at]) => Number(at))
    },
    isUnfinishedCopy: async () => (await findTable(unfinishedCopyTable)) !== undefined,
    async begin() {
      await query('BEGIN')
      await query(durable.text)
    },
    commit: async () => void (await query('COMMIT')),
    async insertRows(table, rows) {
      const { text, parameters } = insertOf(table, rows)
      await query(text, parameters)
    },
    insert: (table, rows, also) => transaction([insertOf(table, rows), also]),
    commitDurably: (statements) => transaction([durable, ...statements]),
    finish: async () => void (await query('ANALYZE')),
    close: () => client.end(),
  }
}

const durable: Statement = { text: 'SET LOCAL synchronous_commit = on', parameters: [] }

/** Sends each column as an array. */
function insertOf({ name, columns }: CopiedTable, rows: readonly CopiedRow[]): Statement {
  const arrays = columns.map(({ kind }, index) => `$${index + 1}::${types[kind]}[]`).join(', ')
  const values = columns.map(({ name, kind }) => stored(kind, `rows.${quoted(name)}`)).join(', ')
  const text = `INSERT INTO ${quoted(name)} (${columnList(columns)}) SELECT ${values} FROM unnest(${arrays}) AS rows (${columnList(columns)})`
  // Boundary: the driver sends an array as an array of the database.
  return {
    text,
    parameters: columns.map((_, index) => rows.map((row) => row[index])) as unknown as Statement['parameters'],
  }
}

/** The other connections of the same user, which are those of the service. */
const otherSessions = `
  SELECT pid, application_name, host(client_addr) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid() AND backend_type = 'client backend'`

function inUse(address: string, sessions: readonly CopiedRow[]): string {
  const list = sessions.map(
    ([pid, name, host]) => `process ${pid}${name ? ` (${name})` : ''} of ${host ?? 'this machine'}`,
  )
  return `Other connections use the database at ${address}: ${list.slice(0, 5).join(', ')}. Stop the service and any pooler, then run this again.`
}
