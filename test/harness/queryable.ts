import type { PoolClient, QueryConfig } from 'pg'
import type { PreparedCall, Queryable } from '../../db/engine/postgres-query.ts'

/** Returns a connection for Drizzle and prepared queries. It passes each query to `query`, one by one. */
export function asQueryable(query: (config: QueryConfig, values?: unknown[]) => Promise<unknown>): Queryable {
  const run = async ({ statement: { text, types }, values }: PreparedCall): Promise<unknown[][]> => {
    const config = { text, rowMode: 'array', ...(types && { types }) }
    // Boundary: pg answers the query.
    return ((await query(config, values)) as { rows: unknown[][] }).rows
  }
  return { query: query as PoolClient['query'], run, queueWithNextMessage: async (call) => void (await run(call)) }
}
