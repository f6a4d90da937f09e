import type { QueueValues } from './values.ts'

/** The clock of the database, without a read for each use. */
export interface DatabaseClock {
  /** Milliseconds. Reads the clock at the first use. The error is at most half of a round trip, and what the clocks drift between two writes. */
  now(): Promise<number>
  /** Runs a write that returns the time of the database, which corrects this clock. */
  correctBy(write: () => Promise<number>): Promise<void>
}

export function createDatabaseClock({ now }: Pick<QueueValues, 'now'>): DatabaseClock {
  let aheadMs: number | undefined

  /** Returns how far the clock of the database is ahead of the monotonic clock of this process. */
  async function measure(read: () => Promise<number>): Promise<number> {
    const sentAt = performance.now()
    const at = await read()
    return at - (sentAt + performance.now()) / 2
  }

  return {
    async now() {
      aheadMs ??= await measure(now)
      return Math.round(performance.now() + aheadMs)
    },
    async correctBy(write) {
      aheadMs = await measure(write)
    },
  }
}
