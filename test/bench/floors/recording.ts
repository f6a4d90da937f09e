import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { benchApplication } from '../data.ts'
import type { Bench } from '../measure.ts'
import { flowsPhase } from '../phases.ts'
import { type RecordedTransaction, readTransactions } from './recorded.ts'

const recordings = 5
/** The settings of connections change at their next statement. */
const reloadMs = 500

/** Records the transactions of some flows several times, with the log of PostgreSQL. */
export async function recordFlows(bench: Bench, flows: number, concurrency: number): Promise<RecordedTransaction[][]> {
  const client = new pg.Client({ connectionString: bench.stack.databaseUrl, application_name: benchApplication })
  await client.connect()
  try {
    const { rows } = await client.query(
      "SELECT current_setting('data_directory') AS dir, pg_current_logfile('jsonlog') AS file",
    )
    const readLog = () => readFileSync(join(rows[0].dir, rows[0].file))
    await setLogging(client, 'all')
    const recorded: RecordedTransaction[][] = []
    let length = readLog().length
    while (recorded.length < recordings) {
      await flowsPhase(bench, flows, concurrency)
      const log = readLog()
      recorded.push(readTransactions(log.toString('utf8', length), benchApplication))
      length = log.length
    }
    await setLogging(client, 'none')
    return recorded
  } finally {
    await client.end()
  }
}

async function setLogging(client: pg.Client, statements: 'all' | 'none'): Promise<void> {
  await client.query(`ALTER SYSTEM SET log_statement = '${statements}'`)
  await client.query('SELECT pg_reload_conf()')
  await sleep(reloadMs)
}
