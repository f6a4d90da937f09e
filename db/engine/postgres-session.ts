import type { PoolClient } from 'pg'
import type { ConnectionPool } from './postgres-pool.ts'

/** The order in which two connections run transactions. It detects a pooler that gives out the last used connection, or the next one. */
const order = [0, 0, 1, 0, 0, 1, 0, 0, 1] as const

/**
 * Returns whether each connection keeps its session on the server. A pooler that assigns server connections by transaction, such as PgBouncer
 * with `pool_mode = transaction`, lets two connections share a server connection, or changes it between two transactions.
 */
export async function keepsSessions(pool: ConnectionPool): Promise<boolean> {
  const first = await pool.connect()
  try {
    const second = await pool.connect()
    try {
      return await haveOwnSessions([first, second])
    } finally {
      second.release()
    }
  } finally {
    first.release()
  }
}

async function haveOwnSessions(clients: readonly [PoolClient, PoolClient]): Promise<boolean> {
  const processes: [Set<string>, Set<string>] = [new Set(), new Set()]
  for (const position of order) processes[position].add(await serverProcess(clients[position]))
  return processes.every(({ size }) => size === 1) && processes[0].isDisjointFrom(processes[1])
}

/** Returns the server process of a connection with its start, because the number of a process is used again. */
async function serverProcess(client: PoolClient): Promise<string> {
  const text = 'SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()'
  return JSON.stringify((await client.query(text)).rows)
}
