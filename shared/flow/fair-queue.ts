export interface FairQueueLimits {
  /** Maximum entries of one batch. */
  maxItems: number
  /** Maximum weight of one batch, and of the running entries of one tenant. A heavier entry runs alone. It can change. */
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

export interface TakeApart {
  /** Maximum entries of a tenant that has several. */
  maxItemsOfOne: number
  /** Takes only entries of tenants without a running entry. */
  isForIdle: boolean
}

/** A queue for each tenant, with the tenants served round robin. */
export interface FairQueue<Each extends Entry> {
  /** Number of waiting entries. */
  readonly size: number
  /** Adds an entry. Returns false if too many entries wait. */
  add(entry: Each): boolean
  /** Runs an entry without a wait. Returns false if it does not fit beside the running entries of its tenant. Call it if none wait. */
  start(entry: Each): boolean
  /** Removes a waiting entry. Returns false if the entry does not wait. */
  remove(entry: Each): boolean
  /** Takes the next batch: one entry of each tenant per round, until the batch is full. Its entries run until `release`. */
  take(): Each[]
  /**
   * Takes a batch with one entry of each tenant that has a single entry waiting, or with entries of one tenant that has several. So a tenant
   * with few entries does not wait for those of a tenant with many.
   */
  takeApart(options: TakeApart): Each[]
  /** Returns whether an entry waits of a tenant without a running entry. */
  hasIdleTenant(): boolean
  release(entries: Each[]): void
  /** Counts a released entry as running again, without a wait. */
  resume(entry: Each): void
}

/**
 * Creates a queue in which no tenant has more weight running than one batch can have. A tenant with many entries therefore waits for
 * its own entries.
 */
export function createFairQueue<Each extends Entry>(limits: FairQueueLimits): FairQueue<Each> {
  const tenants = createTenantQueues<Each>(limits)
  let size = 0

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
    start(entry) {
      const queue = tenants.get(entry.tenantId)
      if (!fits(entry, queue.runningWeight, limits)) return false
      tenants.start(entry, queue)
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
        weight = tenants.takeRound(tenants.inOrder(), batch, weight)
      }
      size -= batch.length
      return batch
    },
    takeApart(options) {
      const batch: Each[] = []
      tenants.takeRound(chooseApart(tenants.inOrder(), options, limits), batch, 0)
      size -= batch.length
      return batch
    },
    hasIdleTenant: () => tenants.inOrder().some((queue) => queue.waiting.size > 0 && !isRunning(queue)),
    release(entries) {
      for (const entry of entries) tenants.end(entry)
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

function isRunning({ runningWeight }: TenantQueue<Entry>): boolean {
  return runningWeight > 0
}

/** Returns the queue of each entry of a batch: always the first queue if it has several entries, and otherwise each with a single one. */
function chooseApart<Each extends Entry>(
  inOrder: TenantQueue<Each>[],
  { maxItemsOfOne, isForIdle }: TakeApart,
  limits: FairQueueLimits,
): TenantQueue<Each>[] {
  const queues = inOrder.filter((queue) => {
    const [next] = queue.waiting
    return next && fits(next, queue.runningWeight, limits) && !(isForIdle && isRunning(queue))
  })
  const [first] = queues
  if (first && first.waiting.size > 1) return Array.from({ length: maxItemsOfOne }, () => first)
  return queues.filter(({ waiting }) => waiting.size === 1)
}

/** The queues of the tenants with waiting or running entries. The next tenant comes first. */
function createTenantQueues<Each extends Entry>(limits: FairQueueLimits) {
  const queues = new Map<string, TenantQueue<Each>>()

  function forgetIfIdle(tenantId: string): void {
    const queue = queues.get(tenantId)
    if (queue?.waiting.size === 0 && queue.runningWeight === 0) queues.delete(tenantId)
  }

  /** Counts the entry as running. Its tenant is then the last one. */
  function start({ tenantId, weight }: Each, queue: TenantQueue<Each>): void {
    queue.runningWeight += weight
    queues.delete(tenantId)
    queues.set(tenantId, queue)
  }

  return {
    forgetIfIdle,
    start,
    /** Moves at most one entry of each of these queues to the batch. Returns the new weight of the batch. */
    takeRound(ofTenants: TenantQueue<Each>[], batch: Each[], batchWeight: number): number {
      let weight = batchWeight
      for (const queue of ofTenants) {
        const [next] = queue.waiting
        if (!next || batch.length === limits.maxItems) continue
        if (!fits(next, weight, limits) || !fits(next, queue.runningWeight, limits)) continue
        queue.waiting.delete(next)
        start(next, queue)
        weight += next.weight
        batch.push(next)
      }
      return weight
    },
    inOrder: () => [...queues.values()],
    find: (tenantId: string) => queues.get(tenantId),
    get(tenantId: string): TenantQueue<Each> {
      const queue = queues.get(tenantId) ?? { waiting: new Set(), runningWeight: 0 }
      queues.set(tenantId, queue)
      return queue
    },
    end({ tenantId, weight }: Each): void {
      const queue = queues.get(tenantId)
      if (queue) queue.runningWeight -= weight
      forgetIfIdle(tenantId)
    },
  }
}
