import { type ClientBase, Pool, type PoolClient, type QueryConfig } from 'pg'
import type { PoolStatus } from '../../shared/metrics/process.ts'
import { clientOf, createHosts, type Hosts, requirePrimary } from './postgres-hosts.ts'

/** Connections per pool. */
export const maxConnections = 8
const defaultConnectTimeoutMs = 5_000
const statementWithinMs = 30_000
/** The server cancels slow statements first. This limit is for a server that does not respond. */
const answerWithinMs = 35_000
/** The server releases the locks of a stopped process after this time. */
const idleInTransactionMs = 30_000
/**
 * Longer than the intervals of the frequent searches. A new connection costs the server several milliseconds, and prepares each statement again.
 */
const idleMs = 120_000
/**
 * Every query has an index. PostgreSQL may keep a plan from when a table was small, and scan the whole table with its
 * dead rows (measured after 12,000 rows went through the outbox: 470 µs to find it empty, this: 14). If a scan is
 * unavoidable, its plan has a high cost, for which PostgreSQL would use JIT compilation. So `jit` is off.
 */
const byIndex = ['SET enable_seqscan = off', 'SET jit = off']

/** A query with its own limit, which the types of pg lack. */
type TimedQuery = QueryConfig & { query_timeout: number }

/** A pool of connections to the servers of one URL. */
export interface ConnectionPool {
  connect(): Promise<PoolClient>
  /** Closes the connections that are open now before their next use. The network can have lost them with one that got no answer. */
  renewAll(): void
  status(): Omit<PoolStatus, 'pool'>
  end(): Promise<void>
}

export interface PoolOptions {
  readOnly: boolean
  /** Whether connections to a standby are accepted. */
  acceptsStandby?: boolean
  /** The wait for a new or a free connection. */
  connectTimeoutMs?: number
  max?: number
  /** Statements that set up each session, after those of every session. */
  session?: readonly string[]
}

/**
 * Opens a pool of connections to the servers of a URL. PgBouncer refuses start-up parameters, so statements set the session. The
 * loss of a connection is not reported by itself. The next query on it fails, and the pool removes it.
 */
export function openPool(
  url: string,
  { readOnly, acceptsStandby = false, connectTimeoutMs = defaultConnectTimeoutMs, ...options }: PoolOptions,
): ConnectionPool {
  const { max = maxConnections, session = [] } = options
  const hosts = createHosts(url)
  const settings = [
    `SET statement_timeout = ${statementWithinMs}`,
    `SET idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
    ...byIndex,
    ...(readOnly ? ['SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY'] : []),
    ...session,
  ].join('; ')
  const openedAt = new WeakMap<ClientBase, number>()
  let validSince = Number.NEGATIVE_INFINITY
  const isOld = (client: ClientBase) => (openedAt.get(client) ?? validSince) < validSince
  const pool = new Pool({
    Client: clientOf(hosts),
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleMs,
    query_timeout: answerWithinMs,
    keepAlive: true,
    async onConnect(client: ClientBase) {
      openedAt.set(client, performance.now())
      // Without a listener, the loss of a connection that is in use ends the process.
      client.on('error', () => undefined)
      // A PgBouncer without a server accepts the connection and answers no query.
      const setUp: TimedQuery = { text: settings, query_timeout: connectTimeoutMs }
      await client.query(setUp)
      if (!acceptsStandby) await requirePrimary(client)
    },
  })
  pool.on('error', () => undefined) // The same for an idle connection.
  return {
    async connect() {
      for (;;) {
        const client = await connectToAny(pool, hosts)
        if (!isOld(client)) return client
        client.release(true)
      }
    },
    renewAll() {
      validSince = performance.now()
    },
    status: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max }),
    end: () => pool.end(),
  }
}

async function connectToAny(pool: Pool, hosts: Hosts): Promise<PoolClient> {
  for (let attempt = 1; ; attempt++) {
    const url = hosts.current()
    try {
      return await pool.connect()
    } catch (error) {
      hosts.leave(url)
      if (attempt === hosts.count) throw error
    }
  }
}
