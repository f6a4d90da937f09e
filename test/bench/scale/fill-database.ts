import { hash } from 'node:crypto'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { openDatabase } from '../../../db/client.ts'
import { dialect } from '../../../db/columns.ts'
import { termsOfClaims } from '../../../db/repos/issuance/users/claim-terms.ts'
import { appendToAudit } from '../../../db/repos/operations/audit/audit.ts'
import { newId } from '../../../shared/ids.ts'
import { type Filled, type Filling, type Insertion, insertionsOf, type ToFill } from './filling.ts'
import { ownersOf } from './owners.ts'

/**
 * A child process. For a message (`ToFill`) it fills the database and answers with the time that this took (`Filled`).
 */
const url = process.env.DATABASE_URL ?? ''
process.on('message', async (toFill: ToFill) => {
  try {
    process.send?.(await fill(toFill))
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

/** The parts of filling that differ between the databases. */
interface Filler {
  run(sql: string): Promise<void>
  /** The first column of the rows. */
  column(sql: string): Promise<unknown[]>
  /** A table with the column `i`. */
  numbers(from: number, count: number): string
  /** Brings the database to the state of a database that filled slowly. */
  finish(): Promise<void>
}

async function fill(toFill: ToFill): Promise<Filled> {
  const filler = dialect === 'postgres' ? await postgresFiller() : sqliteFiller()
  const [tenantId] = await filler.column(`SELECT tenant_id FROM webhooks WHERE id = '${toFill.webhookId}'`)
  const ofTenant = async (table: string) =>
    String((await filler.column(`SELECT id FROM ${table} WHERE tenant_id = '${tenantId}'`))[0])
  const ids = { clientId: await ofTenant('clients'), providerId: await ofTenant('authentication_providers') }
  const filling = { ...toFill, ...ids, tenantId: String(tenantId) }
  const filled: Filled = {}
  const timed = async (what: string, work: () => Promise<void>) => {
    const startedAt = performance.now()
    await work()
    filled[what] = (filled[what] ?? 0) + (performance.now() - startedAt) / 1000
  }
  await timed('owners', async () => {
    for (const statement of ownersOf(filling)) await filler.run(statement)
  })
  const fillTables = async (insertions: Insertion[]) => {
    for (const insertion of insertions) await timed(insertion.table, () => filler.run(statementOf(insertion, filler)))
  }
  // The terms are half of all rows. On PostgreSQL a second connection uses another core.
  const insertions = insertionsOf(filling)
  const isTerms = ({ table }: Insertion) => table === 'user_claim_terms'
  await Promise.all([fillTables(insertions.filter(isTerms)), fillTables(insertions.filter((each) => !isTerms(each)))])
  await checkTerms(filler, filling)
  await timed('audit_events', () => fillAudit(filling))
  await timed('finish', () => filler.finish())
  return filled
}

function statementOf({ table, columns, values, count, from = 0, where, orderBy }: Insertion, filler: Filler): string {
  return `INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${filler.numbers(from, count)}
    ${where ? `WHERE ${where}` : ''} ${orderBy ? `ORDER BY ${orderBy}` : ''}`
}

/** Checks that the terms equal those of the service, because searches find users by their terms. */
async function checkTerms(filler: Filler, { tenantId }: Filling): Promise<void> {
  const user = `SELECT id FROM users WHERE tenant_id = '${tenantId}' AND provider_id IS NULL ORDER BY created_at, id LIMIT 1`
  const [claims] = await filler.column(`SELECT claims FROM users WHERE id = (${user})`)
  const terms = new Set(await filler.column(`SELECT term FROM user_claim_terms WHERE user_id = (${user})`))
  const expected = await termsOfClaims(typeof claims === 'string' ? JSON.parse(claims) : claims)
  if (terms.size === 0 || terms.symmetricDifference(expected).size > 0)
    throw new Error('The terms of the filled users differ from those of the service.')
}

/**
 * Adds an audit row for every tenth user with the service's own code, because each row has the hash of the previous
 * one.
 */
async function fillAudit({ users, tenantId, clientId }: Filling): Promise<void> {
  const db = openDatabase(url, { survives: 'crash' })
  const atOnce = 1_000
  for (let done = 0; done < users / 10; done += atOnce) {
    const entries = Array.from({ length: atOnce }, (_, index) => {
      const type = index === 0 ? 'WEBHOOK_UPDATE_AUDIT' : 'CREDENTIAL_COMPACT_REVOCATION_SET_STATUS_AUDIT'
      return { tenantId, type, data: { id: newId() }, requestId: newId(), clientId }
    })
    await db.tx((tx) => appendToAudit(tx, entries, new Date()))
  }
  await db.close()
}

async function postgresFiller(): Promise<Filler> {
  const client = new pg.Pool({
    connectionString: url,
    max: 2,
    onConnect: async (each) => void (await each.query("SET synchronous_commit = off; SET work_mem = '512MB'")),
  })
  const run = async (sql: string) => void (await client.query(sql))
  await run(`
    CREATE FUNCTION tw_id(ms bigint, salt text) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
      SELECT (lpad(to_hex(ms), 12, '0') || '7' || substr(md5(salt), 1, 3) || '8' || substr(md5(salt), 4, 15))::uuid::text $$;
    CREATE FUNCTION tw_term(t text) RETURNS text STABLE PARALLEL SAFE LANGUAGE sql AS $$
      SELECT left(translate(encode(sha256(convert_to(t, 'UTF8')), 'base64'), '+/', '-_'), 16) $$;
    CREATE FUNCTION tw_at(ms bigint) RETURNS timestamptz IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$ SELECT to_timestamp(ms / 1000.0) $$;
    CREATE FUNCTION tw_json(t text) RETURNS json IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$ SELECT t::json $$`)
  return {
    run,
    column: async (sql) => (await client.query({ text: sql, rowMode: 'array' })).rows.map(([value]) => value),
    numbers: (from, count) => `generate_series(${from}::bigint, ${from + count - 1}::bigint) AS numbers (i)`,
    async finish() {
      await run('DROP FUNCTION tw_id; DROP FUNCTION tw_term; DROP FUNCTION tw_at; DROP FUNCTION tw_json')
      // Does what autovacuum would do minutes or hours later. The checkpoint writes the log of the filling out before
      // the measurement.
      await run('VACUUM ANALYZE')
      await run('CHECKPOINT')
      await client.end()
    },
  }
}

function sqliteFiller(): Filler {
  const database = new SqliteDatabase(url.slice('file:'.length), { timeout: 60_000 })
  database.pragma('cache_size = -2000000')
  database.pragma('temp_store = MEMORY')
  database.pragma('synchronous = OFF')
  const deterministic = { deterministic: true }
  database.function('tw_id', deterministic, (ms, salt) => {
    const time = Number(ms).toString(16).padStart(12, '0')
    const digest = hash('md5', String(salt))
    return `${time.slice(0, 8)}-${time.slice(8)}-7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`
  })
  database.function('tw_term', deterministic, (text) => hash('sha256', String(text), 'base64url').slice(0, 16))
  database.function('tw_at', deterministic, (ms) => ms)
  database.function('tw_json', deterministic, (text) => text)
  return {
    run: async (sql) => void database.exec(sql),
    column: async (sql) => database.prepare(sql).pluck().all(),
    numbers: (from, count) =>
      `(WITH RECURSIVE numbers (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM numbers WHERE i < ${from + count - 1}) SELECT i FROM numbers)`,
    async finish() {
      // The service uses the statistics that migrations wrote, which are those of large tables.
      database.pragma('wal_checkpoint(TRUNCATE)')
      database.close()
    },
  }
}
