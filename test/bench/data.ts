import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'

export interface Revocable {
  id: string
  listId: string
  position: number
}

/** Queries of the benchmark on the service's database. */
export interface BenchData {
  /** Rows that wait for workers. */
  countUnsent(): Promise<number>
  /** Compact credentials that the service can revoke. */
  revocable(most: number): Promise<Revocable[]>
  /** The ids of the webhook's newest deliveries of compact credentials. Other deliveries are larger and cost more. */
  deliveries(most: number): Promise<string[]>
  /** The values of the column `found` of an SQL query. */
  column(sql: string): Promise<string[]>
  /** Trusts a root of key attestations. By the API, only the operator of the platform can. */
  trustAttester(rootPem: string): Promise<void>
  close(): Promise<void>
}

/**
 * Uses the indices of waiting rows, because nearly all deliveries are done. Receivers of other webhooks can be
 * unreachable.
 */
const unsentOf = (webhookId: string) => `SELECT (SELECT count(*) FROM outbox) + (
  SELECT count(*) FROM deliveries WHERE queued_until IS NOT NULL
) + (
  SELECT count(*) FROM deliveries
  WHERE webhook_id = '${webhookId}' AND next_attempt_at IS NOT NULL AND queued_until IS NULL
) AS found`
const deliveriesOf = (webhookId: string) =>
  `SELECT deliveries.id AS found FROM deliveries JOIN credentials ON credentials.id = deliveries.credential_id AND profile = 'compact'
    WHERE webhook_id = '${webhookId}' AND deliveries.tenant_id = (SELECT tenant_id FROM webhooks WHERE id = '${webhookId}')
    ORDER BY deliveries.created_at DESC, deliveries.id DESC LIMIT `
const revocable =
  "SELECT credential_id || ' ' || list_id || ' ' || position AS found FROM status_entries WHERE status = 'valid' LIMIT "

export async function openData(url: string, webhookId: string): Promise<BenchData> {
  const { query, write, close } = url.startsWith('file:') ? openFile(url.slice('file:'.length)) : await openServer(url)
  return {
    countUnsent: async () => Number((await query(unsentOf(webhookId)))[0]),
    revocable: async (most) => (await query(revocable + most)).map(revocableOf),
    deliveries: async (most) => (await query(deliveriesOf(webhookId) + most)).map(String),
    column: async (sql) => (await query(sql)).map(String),
    async trustAttester(rootPem) {
      const [found] = await query("SELECT CAST(settings AS TEXT) AS found FROM tenants WHERE kind = 'tenant'")
      const settings = { ...JSON.parse(String(found)), keyAttestationRoots: [rootPem] }
      await write("UPDATE tenants SET settings = $1 WHERE kind = 'tenant'", JSON.stringify(settings))
    },
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
  write(sql: string, value: string): Promise<void>
  close(): Promise<void>
}

function openFile(path: string): Opened {
  const database = new SqliteDatabase(path, { readonly: true })
  return {
    query: async (sql) => database.prepare(sql).pluck().all(),
    async write(sql, value) {
      const writes = new SqliteDatabase(path)
      writes.prepare(sql.replace('$1', '?')).run(value)
      writes.close()
    },
    close: async () => void database.close(),
  }
}

async function openServer(url: string): Promise<Opened> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    query: async (sql) => (await client.query(sql)).rows.map(({ found }) => found),
    write: async (sql, value) => void (await client.query(sql, [value])),
    close: () => client.end(),
  }
}
