import type { Database } from '../../../db/client.ts'
import { markDelivered } from '../../../db/repos/issuance/issuances.ts'
import { markSent } from '../../../db/repos/issuance/sessions.ts'
import type { Clock } from '../../../shared/clock.ts'
import type { Log } from '../../../shared/log.ts'

/**
 * Remembers which answers reached their wallets, many in one write: what was not sent can be asked for again. Marks whose
 * write failed are written with the next ones. A mark that is lost in a crash does no harm. The same keys are given the
 * same credentials as long as their token lives, and a code whose token was never used gives the same token.
 */
export interface SentMarks {
  token(sessionId: string): void
  /** A wallet that has a credential has had its token. Of what was deferred, the handle ends. */
  credentials(issuance: { id: string; sessionId: string; deferredAt: Date | null }): void
  /** Writes the marks now, and not in a while. */
  flush(): Promise<void>
  close(): Promise<void>
}

const flushEveryMs = 500

/** While the database is away: more than come in a minute under full load. The oldest of each kind are dropped first. */
const mostKept = 50_000

export function createSentMarks(db: Database, clock: Clock, log: Log): SentMarks {
  let sessionIds = new Set<string>()
  let issuanceIds = new Set<string>()

  async function flush(): Promise<void> {
    const [sessions, issuances] = [sessionIds, issuanceIds]
    sessionIds = new Set()
    issuanceIds = new Set()
    if (sessions.size + issuances.size === 0) return
    const at = clock.now()
    await db
      .tx(async (tx) => {
        await markSent(tx, sessions, at)
        await markDelivered(tx, issuances, at)
      })
      .catch((err) => {
        log.warn({ err }, 'what was sent was not marked; it will be')
        sessionIds = newest([...sessions, ...sessionIds])
        issuanceIds = newest([...issuances, ...issuanceIds])
      })
  }

  function newest(ids: string[]): Set<string> {
    const dropped = ids.length - mostKept
    if (dropped > 0) log.warn({ dropped }, 'marks of what was sent were dropped while the database was away')
    return new Set(ids.slice(-mostKept))
  }

  const timer = setInterval(flush, flushEveryMs)
  return {
    token: (sessionId) => void sessionIds.add(sessionId),
    credentials({ id, sessionId, deferredAt }) {
      if (deferredAt !== null) issuanceIds.add(id)
      sessionIds.delete(sessionId)
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
