import type { PoolClient, QueryConfig } from 'pg'
import type { PreparedCall, Queryable } from '../../db/engine/postgres-query.ts'

/** What Drizzle and prepared queries run on, where each of them comes to `query`, one by one. */
export function asQueryable(query: (config: QueryConfig, values?: unknown[]) => Promise<unknown>): Queryable {
  const run = async ({ statement: { text, types }, values }: PreparedCall): Promise<unknown[][]> => {
    const config = { text, rowMode: 'array', ...(types && { types }) }
    // Boundary: it is pg that answers.
    return ((await query(config, values)) as { rows: unknown[][] }).rows
  }
  return { query: query as PoolClient['query'], run, queueWithNextMessage: async (call) => void (await run(call)) }
}
