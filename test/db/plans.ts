import type { Database as SqliteConnection } from 'better-sqlite3'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Writer } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { asQueryable } from '../harness/queryable.ts'

/** Returns the query plan of each query that `run` makes. Its changes are rolled back. */
export async function plansOf(url: string, run: (tx: Writer) => Promise<unknown>): Promise<string[]> {
  return dialect === 'postgres' ? postgresPlans(url, run) : sqlitePlans(url.slice('file:'.length), run)
}

interface Query {
  text: string
  params: unknown[]
}

async function sqlitePlans(path: string, run: (tx: Writer) => Promise<unknown>): Promise<string[]> {
  const { default: SqliteDatabase } = await import('better-sqlite3')
  const connection = new SqliteDatabase(path)
  const prepare = connection.prepare.bind(connection)
  const queries: Query[] = []
  connection.exec('BEGIN')
  try {
    // Both dialects are PostgreSQL to the type checker; see columns.ts.
    await run(drizzleSqlite(recording(connection, queries)) as unknown as Writer)
    return queries.map(({ text, params }) => {
      const rows = prepare(`EXPLAIN QUERY PLAN ${text}`).all(...params) as { detail: string }[]
      return [text, ...rows.map(({ detail }) => detail)].join('\n  ')
    })
  } finally {
    connection.exec('ROLLBACK')
    connection.close()
  }
}

/** Records the parameters of the connection's statements, because prepared queries do not run through Drizzle. */
function recording(connection: SqliteConnection, queries: Query[]): SqliteConnection {
  const prepare = connection.prepare.bind(connection)
  connection.prepare = ((text: string) => {
    const statement = prepare(text)
    for (const method of ['run', 'all', 'get'] as const) {
      const execute = statement[method].bind(statement)
      Object.assign(statement, {
        [method](...values: unknown[]) {
          queries.push({ text, params: values.flat() })
          return execute(...values)
        },
      })
    }
    return statement
  }) as typeof connection.prepare
  return connection
}

/** Returns how many rows PostgreSQL reads for the queries of `run`, of tables and indexes. Its changes are rolled back. */
export async function rowsReadBy(url: string, run: (tx: Writer) => Promise<unknown>): Promise<number> {
  const plans = await postgresPlans(url, run, 'EXPLAIN (ANALYZE, TIMING OFF)')
  const scans = plans.flatMap((plan) => [...plan.matchAll(/Scan.*\(actual rows=([\d.]+) loops=(\d+)\)/g)])
  return scans.reduce((sum, [, rows, loops]) => sum + Number(rows) * Number(loops), 0)
}

async function postgresPlans(
  url: string,
  run: (tx: Writer) => Promise<unknown>,
  explain = 'EXPLAIN',
): Promise<string[]> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url })
  await client.connect()
  const queries: Query[] = []
  try {
    // The tables are small here: a plan that reads all of one is what is left when there is no index.
    await client.query('BEGIN; SET LOCAL enable_seqscan = off')
    const query = (config: pg.QueryConfig, values: unknown[] = []) => {
      queries.push({ text: config.text, params: values })
      return client.query(config, values)
    }
    await run(drizzlePostgres(asQueryable(query) as unknown as pg.Client))
    const plans: string[] = []
    for (const { text, params } of queries) {
      const { rows } = await client.query(`${explain} ${text}`, params)
      plans.push([text, ...rows.map((row) => row['QUERY PLAN'])].join('\n  '))
    }
    return plans
  } finally {
    await client.end()
  }
}

/** Plans that read a whole table. */
export function wholeScansIn(plans: string[]): string[] {
  return plans.filter((plan) => linesOf(plan).some((line) => whole.test(line)))
}

/** And those that read all that one tenant has in it; PostgreSQL does so in tables as small as these, whatever their indices. */
export function scansIn(plans: string[]): string[] {
  return plans.filter((plan) => linesOf(plan).some((line) => whole.test(line) || ofTenant.test(line)))
}

const linesOf = (plan: string) => plan.split('\n').slice(1)
const whole = dialect === 'postgres' ? /Seq Scan/ : /^ *SCAN (?!CONSTANT)/
// `ANY` skips from tenant to tenant, of which there may be many.
const ofTenant = dialect === 'postgres' ? whole : /\(tenant_id=\?\)$|\(ANY\(/
