interface Steps<Ref> {
  /** Queues the taken rows of a tenant. */
  queue(tenantId: string, refs: Ref[]): Promise<void>
  /** Releases rows, so that the next run finds them. A job that was queued for such a row does nothing. */
  giveBack(refs: Ref[]): Promise<void>
}

/** Queues taken rows, one tenant after the other. If the queue refuses rows, gives back all rows that are not queued, and throws the error. */
export async function queueTaken<Ref extends { tenantId: string }>(taken: Ref[], steps: Steps<Ref>): Promise<void> {
  const remaining = Map.groupBy(taken, ({ tenantId }) => tenantId)
  try {
    for (const [tenantId, refs] of remaining) {
      await steps.queue(tenantId, refs)
      remaining.delete(tenantId)
    }
  } catch (error) {
    await steps.giveBack([...remaining.values()].flat())
    throw error
  }
}
