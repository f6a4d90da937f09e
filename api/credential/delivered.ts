import type { Database } from '../../db/client.ts'
import { markDelivered } from '../../db/repos/issuances.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'

/**
 * Remembers which issuances reached their wallet, many in one write. A mark that is lost in a crash does no harm: the
 * same wallet, asking again with the same keys, is given the same credentials once more.
 */
export interface DeliveredMarks {
  mark(issuanceId: string): void
  close(): Promise<void>
}

const flushEveryMs = 500

export function createDeliveredMarks(db: Database, clock: Clock, log: Log): DeliveredMarks {
  let marked: string[] = []

  async function flush(): Promise<void> {
    const ids = marked
    marked = []
    if (ids.length === 0) return
    await db
      .tx((tx) => markDelivered(tx, ids, clock.now()))
      .catch((err) => log.warn({ err }, 'deliveries were not marked'))
  }

  const timer = setInterval(flush, flushEveryMs)
  return {
    mark(issuanceId) {
      marked.push(issuanceId)
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
