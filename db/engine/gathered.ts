import type { Reader } from '../client.ts'

interface PendingRead<Row> {
  resolve(row: Row | undefined): void
  reject(error: unknown): void
}

/**
 * Returns a function that reads a row of a tenant by its id. Calls of the same tick of the event loop share one query, so that
 * many callers can each request their own row. The query starts after the calls, so no caller gets an older state than
 * at its call. Do not use it in a transaction. `read` returns the rows that it finds, by id.
 */
export function gathered<Row>(read: (db: Reader, tenantId: string, ids: string[]) => Promise<Map<string, Row>>) {
  const pending = new WeakMap<Reader, Map<string, Map<string, PendingRead<Row>[]>>>()

  /** The pending reads of a connection, by tenant and id. */
  function readsOn(db: Reader) {
    const reads = pending.get(db)
    if (reads) return reads
    const fresh = new Map<string, Map<string, PendingRead<Row>[]>>()
    pending.set(db, fresh)
    setImmediate(() => {
      pending.delete(db)
      for (const [tenantId, ofTenant] of fresh) void answer(db, tenantId, ofTenant)
    })
    return fresh
  }

  async function answer(db: Reader, tenantId: string, ofTenant: Map<string, PendingRead<Row>[]>): Promise<void> {
    try {
      const rows = await read(db, tenantId, [...ofTenant.keys()])
      for (const [id, each] of ofTenant) for (const { resolve } of each) resolve(rows.get(id))
    } catch (error) {
      for (const each of ofTenant.values()) for (const { reject } of each) reject(error)
    }
  }

  return (db: Reader, tenantId: string, id: string): Promise<Row | undefined> =>
    new Promise((resolve, reject) => {
      const byTenant = readsOn(db)
      const ofTenant = byTenant.get(tenantId) ?? new Map<string, PendingRead<Row>[]>()
      byTenant.set(tenantId, ofTenant)
      ofTenant.set(id, [...(ofTenant.get(id) ?? []), { resolve, reject }])
    })
}
