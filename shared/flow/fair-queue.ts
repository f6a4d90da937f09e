/** What may wait, and what one job carries. */
export interface FairQueueLimits {
  /** What one job carries: so many entries, and so much weight. What weighs more by itself goes alone. */
  items: number
  weight: number
  /** Entries that may wait, of one tenant and of all. */
  tenantLine: number
  line: number
}

export interface Entry {
  tenantId: string
  weight: number
}

/** Lines of one tenant each, which are served in turn. */
export interface FairQueue<Each extends Entry> {
  /** How many wait. */
  readonly size: number
  /** False where the line is full. */
  add(entry: Each): boolean
  /** Takes one out of its line that does not want to wait any longer; false where it does not wait. */
  remove(entry: Each): boolean
  /** The next job's: one entry of each line, round by round, until it is full. They are under way until `release`. */
  take(): Each[]
  release(entries: Each[]): void
  /** Counts an entry that was released as under way again. It does not wait. */
  resume(entry: Each): void
}

interface Lane<Each> {
  waiting: Set<Each>
  weightUnderWay: number
}

/** No tenant has more under way than one job carries, so that whoever asks for much waits for itself. */
export function createFairQueue<Each extends Entry>(limits: FairQueueLimits): FairQueue<Each> {
  /** Whose turn it is comes first. */
  const lanes = new Map<string, Lane<Each>>()
  let size = 0

  /** Fits beside what there is; what is heavier than a job fits beside nothing. */
  const fits = (besides: number, { weight }: Each) => besides === 0 || besides + weight <= limits.weight

  /** Adds one entry of each lane that has one which may go; those lanes are the last next time. */
  function takeRound(batch: Each[], weightBefore: number): number {
    let total = weightBefore
    for (const [tenantId, lane] of [...lanes]) {
      const [next] = lane.waiting
      if (!next || batch.length === limits.items || !fits(total, next) || !fits(lane.weightUnderWay, next)) continue
      lane.waiting.delete(next)
      lane.weightUnderWay += next.weight
      total += next.weight
      size--
      batch.push(next)
      lanes.delete(tenantId)
      lanes.set(tenantId, lane)
    }
    return total
  }

  function laneOf(tenantId: string): Lane<Each> {
    const lane = lanes.get(tenantId) ?? { waiting: new Set(), weightUnderWay: 0 }
    lanes.set(tenantId, lane)
    return lane
  }

  function forgetIfIdle(tenantId: string): void {
    const lane = lanes.get(tenantId)
    if (lane?.waiting.size === 0 && lane.weightUnderWay === 0) lanes.delete(tenantId)
  }

  return {
    get size() {
      return size
    },
    add(entry) {
      if (size >= limits.line) return false
      const lane = laneOf(entry.tenantId)
      if (lane.waiting.size >= limits.tenantLine) return false
      lane.waiting.add(entry)
      size++
      return true
    },
    remove(entry) {
      const didWait = lanes.get(entry.tenantId)?.waiting.delete(entry) === true
      if (didWait) size--
      forgetIfIdle(entry.tenantId)
      return didWait
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
        const lane = lanes.get(tenantId)
        if (lane) lane.weightUnderWay -= weight
        forgetIfIdle(tenantId)
      }
    },
    resume({ tenantId, weight }) {
      laneOf(tenantId).weightUnderWay += weight
    },
  }
}
