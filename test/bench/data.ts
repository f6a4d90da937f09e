import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'

export interface Revocable {
  id: string
  listId: string
  position: number
}

/** What the benchmark looks up in the service's database. */
export interface BenchData {
  /** Rows that wait for workers. */
  countUnsent(): Promise<number>
  /** Compact credentials that can be revoked. */
  revocable(most: number): Promise<Revocable[]>
  close(): Promise<void>
}

const unsent =
  'SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM deliveries WHERE next_attempt_at IS NOT NULL) AS found'
const revocable =
  "SELECT credential_id || ' ' || list_id || ' ' || position AS found FROM status_entries WHERE status = 'valid' LIMIT "

export async function openData(url: string): Promise<BenchData> {
  const { query, close } = url.startsWith('file:') ? openFile(url.slice('file:'.length)) : await openServer(url)
  return {
    countUnsent: async () => Number((await query(unsent))[0]),
    revocable: async (most) => (await query(revocable + most)).map(revocableOf),
    close,
  }
}

function revocableOf(found: unknown): Revocable {
  const [id = '', listId = '', position] = String(found).split(' ')
  return { id, listId, position: Number(position) }
}

interface Opened {
  /** The column `found` of each row. */
  query(sql: string): Promise<unknown[]>
  close(): Promise<void>
}

function openFile(path: string): Opened {
  const database = new SqliteDatabase(path, { readonly: true })
  return {
    query: async (sql) => database.prepare(sql).pluck().all(),
    close: async () => void database.close(),
  }
}

async function openServer(url: string): Promise<Opened> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    query: async (sql) => (await client.query(sql)).rows.map(({ found }) => found),
    close: () => client.end(),
  }
}
