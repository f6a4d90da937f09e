import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { countsPerFlow, type DatabaseCounts, readReportedCounts } from '../database-counts.ts'
import type { Bench } from '../measure.ts'
import type { BenchOptions } from '../options.ts'
import { runPgbench } from './pgbench.ts'
import type { RecordedTransaction } from './recorded.ts'
import { recordFlows } from './recording.ts'
import { type ParameterTypes, replayScript } from './replay-script.ts'

/** The cost of the statements of a flow, without the service. */
export interface StatementCost {
  /** CPU time of PostgreSQL. */
  seconds: number
  /** Work of PostgreSQL. */
  counts: DatabaseCounts
}

export interface StatementFloor {
  measure(concurrency: number): Promise<StatementCost>
  stop(): void
}

/** Flows of one recording. The service shares some transactions between flows, so a recording needs many. */
const recordedFlows = 32

/**
 * The statement floor: the statements of flows, replayed by pgbench in a copy of the database on the same server. Each concurrency has a
 * recording of its own. Returns undefined on SQLite and without pgbench.
 */
export async function startStatementFloor(bench: Bench, options: BenchOptions): Promise<StatementFloor | undefined> {
  const { databaseUrl, postgresBin, pids } = bench.stack
  if (postgresBin === undefined) return undefined
  const pgbench = join(postgresBin, 'pgbench')
  if (!existsSync(pgbench)) {
    console.error(`... no statement floor, because ${pgbench} is missing. Install the package postgresql-contrib.`)
    return undefined
  }
  const copyUrl = new URL('/statement_floor', databaseUrl).href
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-bench-'))
  const fileOf = (concurrency: number) => join(dir, `${concurrency}.sql`)
  const recordings = new Map<number, RecordedTransaction[][]>()
  for (const each of options.concurrencies) recordings.set(each, await recordFlows(bench, recordedFlows, each))
  await copyDatabase(postgresBin, databaseUrl, copyUrl, dir)
  for (const [concurrency, recorded] of recordings)
    writeFileSync(fileOf(concurrency), await scriptOf(copyUrl, recorded))

  let run = 0
  const replay = (concurrency: number, times: number) => {
    const database = { url: copyUrl, serverPid: pids.postgres ?? 0, run: ++run }
    return runPgbench(pgbench, { ...database, file: fileOf(concurrency), concurrency, times })
  }
  const timesFor = (flows: number, concurrency: number) => Math.ceil(flows / (recordedFlows * concurrency))
  const [first = 1] = options.concurrencies
  await replay(first, timesFor(options.warmUpFlows, first))
  return {
    /** Measures a short and a long replay. Their difference has no connecting and planning, which the service does once. */
    async measure(concurrency) {
      const times = timesFor(options.flows, concurrency)
      const flows = times * concurrency * recordedFlows
      await withClient(copyUrl, (client) => client.query('VACUUM (ANALYZE)'))
      const before = await readReportedCounts(copyUrl)
      const shortSeconds = await replay(concurrency, 1)
      const between = await readReportedCounts(copyUrl)
      const longSeconds = await replay(concurrency, 1 + times)
      const after = await readReportedCounts(copyUrl)
      const [short, long] = [countsPerFlow(before, between, 1), countsPerFlow(between, after, 1)]
      return { seconds: (longSeconds - shortSeconds) / flows, counts: countsPerFlow(short, long, flows) }
    },
    stop: () => rmSync(dir, { recursive: true, force: true }),
  }
}

/** Replays the recording with the fewest statements. Others have more periodic work, which does not depend on flows. */
async function scriptOf(url: string, recordings: RecordedTransaction[][]): Promise<string> {
  const [fewest = [], ...others] = recordings.toSorted((one, other) => one.flat().length - other.flat().length)
  return replayScript(fewest, others.flat(), await readTypes(url, fewest))
}

/** Copies with pg_dump. A template must have no connections, but the service has some. */
async function copyDatabase(bin: string, from: string, to: string, dir: string): Promise<void> {
  const run = promisify(execFile)
  const dump = join(dir, 'dump')
  await run(join(bin, 'createdb'), [`--maintenance-db=${from}`, new URL(to).pathname.slice(1)])
  await run(join(bin, 'pg_dump'), ['--format=custom', '--compress=0', `--file=${dump}`, from])
  await run(join(bin, 'pg_restore'), [`--dbname=${to}`, dump])
  await withClient(to, (client) => client.query(withoutAutovacuum))
}

/** Autovacuum of the copy would count as work of flows of the service. */
const withoutAutovacuum = `
  DO $$ DECLARE each regclass; BEGIN
    FOR each IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', each);
    END LOOP;
  END $$`

/** Reads which types PostgreSQL derives for the parameters of each statement. */
async function readTypes(url: string, transactions: RecordedTransaction[]): Promise<ParameterTypes> {
  const statements = transactions.flat().filter(({ parameters }) => parameters.length > 0)
  return withClient(url, async (client) => {
    const types: ParameterTypes = new Map()
    for (const text of new Set(statements.map((each) => each.text))) {
      await client.query(`PREPARE described AS ${text}`)
      const { rows } = await client.query('SELECT parameter_types::text[] AS types FROM pg_prepared_statements')
      types.set(text, rows[0].types)
      await client.query('DEALLOCATE described')
    }
    return types
  })
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
