import { markDelivered } from '../../../db/repos/issuance/issuances.ts'
import { markSent } from '../../../db/repos/issuance/sessions/sessions.ts'
import { defineService, type ServiceDeps } from '../../process/services.ts'

/**
 * Records which responses reached their wallets, with batched writes. A response that is not marked can be requested
 * again. Marks of a failed write are written with the next batch. A mark that is lost in a crash does no harm. The same
 * keys get the same credentials while their token is valid, and a code whose token was never used returns the same
 * token.
 */
interface SentMarks {
  token(sessionId: string): void
  /**
   * Marks the session's token as sent as well, because the wallet used it. The transaction id of a deferred issuance
   * becomes invalid.
   */
  credentials(issuance: { id: string; sessionId: string; deferredAt: Date | null }): void
  /** Writes the marks immediately. */
  flush(): Promise<void>
  close(): Promise<void>
}

const flushEveryMs = 500

/**
 * The maximum number of marks of each kind during a database outage: more than a minute of full load. The oldest are
 * dropped first.
 */
const maxMarks = 50_000

export const sentMarks = defineService<SentMarks>('sentMarks', {
  create: createSentMarks,
  close: (marks) => marks.close(),
})

function createSentMarks({ db, clock, log }: ServiceDeps): SentMarks {
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
        log.warn({ err }, 'sent marks not written, will be retried')
        sessionIds = newest([...sessions, ...sessionIds])
        issuanceIds = newest([...issuances, ...issuanceIds])
      })
  }

  function newest(ids: string[]): Set<string> {
    const dropped = ids.length - maxMarks
    if (dropped > 0) log.warn({ dropped }, 'sent marks dropped')
    return new Set(ids.slice(-maxMarks))
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
