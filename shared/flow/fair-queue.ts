export interface FairQueueLimits {
  /** Maximum entries of one batch. */
  maxItems: number
  /** Maximum weight of one batch, and of the running entries of one tenant. A heavier entry runs alone. */
  maxWeight: number
  /** Maximum waiting entries of one tenant. */
  maxWaitingPerTenant: number
  /** Maximum waiting entries of all tenants. */
  maxWaiting: number
}

export interface Entry {
  tenantId: string
  weight: number
}

/** A queue for each tenant, with the tenants served in turn. */
export interface FairQueue<Each extends Entry> {
  /** Number of waiting entries. */
  readonly size: number
  /** Adds an entry. Returns false if too many entries wait. */
  add(entry: Each): boolean
  /** Removes a waiting entry. Returns false if the entry does not wait. */
  remove(entry: Each): boolean
  /** Takes the next batch: one entry of each tenant per round, until the batch is full. Its entries run until `release`. */
  take(): Each[]
  release(entries: Each[]): void
  /** Counts a released entry as running again, without a wait. */
  resume(entry: Each): void
}

/**
 * Creates a queue in which no tenant has more weight running than one batch can have. A tenant with many entries therefore waits for
 * its own entries.
 */
export function createFairQueue<Each extends Entry>(limits: FairQueueLimits): FairQueue<Each> {
  const tenants = createTenantQueues<Each>()
  let size = 0

  /** Takes at most one entry of each tenant. Returns the new weight of the batch. */
  function takeRound(batch: Each[], batchWeight: number): number {
    let weight = batchWeight
    for (const [tenantId, queue] of tenants.inTurn()) {
      const [next] = queue.waiting
      if (!next || batch.length === limits.maxItems) continue
      if (!fits(next, weight, limits) || !fits(next, queue.runningWeight, limits)) continue
      queue.waiting.delete(next)
      queue.runningWeight += next.weight
      weight += next.weight
      size--
      batch.push(next)
      tenants.moveToEnd(tenantId, queue)
    }
    return weight
  }

  return {
    get size() {
      return size
    },
    add(entry) {
      if (size >= limits.maxWaiting) return false
      const queue = tenants.get(entry.tenantId)
      if (queue.waiting.size >= limits.maxWaitingPerTenant) return false
      queue.waiting.add(entry)
      size++
      return true
    },
    remove(entry) {
      const isRemoved = tenants.find(entry.tenantId)?.waiting.delete(entry) === true
      if (isRemoved) size--
      tenants.forgetIfIdle(entry.tenantId)
      return isRemoved
    },
    take() {
      const batch: Each[] = []
      for (let before = -1, weight = 0; batch.length > before; ) {
        before = batch.length
        weight = takeRound(batch, weight)
      }
      return batch
    },
    release(entries) {
      for (const { tenantId, weight } of entries) {
        const queue = tenants.find(tenantId)
        if (queue) queue.runningWeight -= weight
        tenants.forgetIfIdle(tenantId)
      }
    },
    resume({ tenantId, weight }) {
      tenants.get(tenantId).runningWeight += weight
    },
  }
}

/** Whether an entry fits beside this weight. An entry that is heavier than a batch fits only beside none. */
function fits({ weight }: Entry, besideWeight: number, { maxWeight }: FairQueueLimits): boolean {
  return besideWeight === 0 || besideWeight + weight <= maxWeight
}

interface TenantQueue<Each> {
  waiting: Set<Each>
  runningWeight: number
}

/** The queues of the tenants with waiting or running entries. The tenant whose turn is next comes first. */
function createTenantQueues<Each>() {
  const queues = new Map<string, TenantQueue<Each>>()
  return {
    inTurn: () => [...queues],
    find: (tenantId: string) => queues.get(tenantId),
    get(tenantId: string): TenantQueue<Each> {
      const queue = queues.get(tenantId) ?? { waiting: new Set(), runningWeight: 0 }
      queues.set(tenantId, queue)
      return queue
    },
    moveToEnd(tenantId: string, queue: TenantQueue<Each>): void {
      queues.delete(tenantId)
      queues.set(tenantId, queue)
    },
    forgetIfIdle(tenantId: string): void {
      const queue = queues.get(tenantId)
      if (queue?.waiting.size === 0 && queue.runningWeight === 0) queues.delete(tenantId)
    },
  }
}
