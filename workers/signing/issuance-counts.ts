import { addOutcomes } from '../../db/repos/operations/issuance-outcomes.ts'
import { addIssued } from '../../db/repos/operations/issued-days.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'

/** The issuances that a batch committed for one tenant. */
export interface CommittedIssuances {
  tenantId: string
  /** The configuration of each issuance. */
  configurationIds: string[]
}

/**
 * Counts issuances for the charts of their tenants (`/v1/overview/issuances`). The counts are summed in memory and written once a second.
 * A killed process loses those since its last write. Records of credentials are exact: they are in the commit of the credential.
 */
export interface IssuanceCounts {
  /** Call it after the commit. */
  add(committed: CommittedIssuances): void
  /** Writes the counts, after a write that already runs. */
  flush(): Promise<void>
  close(): Promise<void>
}

const flushEveryMs = 1_000

export function createIssuanceCounts({ db, clock, log }: Pick<WorkerDeps, 'db' | 'clock' | 'log'>): IssuanceCounts {
  let waiting: Parameters<typeof addOutcomes>[1] = []
  let writing = Promise.resolve()

  function flush(): Promise<void> {
    writing = writing.then(write)
    return writing
  }

  async function write(): Promise<void> {
    const issued = waiting
    if (issued.length === 0) return
    waiting = []
    await db
      .tx(async (tx) => {
        await addIssued(tx, issued)
        await addOutcomes(tx, issued)
      })
      .catch((err) => {
        log.warn({ err }, 'counts of issuances not written, will be retried')
        waiting = [...issued, ...waiting]
      })
  }

  // The timer begins with the process, so that its writes belong to no trace.
  const timer = setInterval(flush, flushEveryMs).unref()
  return {
    add({ tenantId, configurationIds }) {
      const at = clock.now()
      for (const configurationId of configurationIds) waiting.push({ tenantId, at, outcome: 'issued', configurationId })
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
